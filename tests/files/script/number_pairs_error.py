# run: main(5, 0)
# run: main(-1, 2)
import math


def main(i: int, by: int):
    return divmod(i, by), math.factorial(i)
