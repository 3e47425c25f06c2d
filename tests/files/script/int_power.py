# int ** int is a float.
# run: main(2, 10)
# run: main(-3, 3)
# run: main(2, -1)
# run: main(0, 0)
def main(a: int, b: int):
    return a ** b, pow(a, b), a ** 2
