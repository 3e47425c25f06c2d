# run: main(1, 2)
def main(a: int, b: int):
    a, b = b, a
    (c, d), e = (a, b), a + b
    return a, b, c, d, e
