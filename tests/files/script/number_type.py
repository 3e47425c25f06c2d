# A parameter of type number takes ints and floats.
# run: main(3)
# run: main(2.5)
def main(x: number):
    return x + 1, x * 2
