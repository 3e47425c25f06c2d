# Every operator of ints; floor division and remainder round to minus infinity.
# run: main(7, 3)
# run: main(-7, 3)
# run: main(7, -3)
# run: main(9223372036854775807, 2)
def main(a: int, b: int):
    return a + b, a - b, a * b, a / b, a // b, a % b, -a, abs(a)
