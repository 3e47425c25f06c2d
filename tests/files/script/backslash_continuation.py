# run: main(1, 2)
def main(a: int, b: int):
    x = a + \
        b
    return x
