# run: main(1)
def main(n: int):
    a = n
    b = a + 1
    a = b + 1
    b = a + 1
    a = b + 1
    c = a + b
    a = c
    return a, b, c
