# run: main(7, -2.5)
# run: main(-7, 2.0)
# run: main(-9, 4.75)
# run: main(0, 0.0)
import math


def main(i: int, x: float):
    whole = divmod(i, 3)
    if x != 0.0:
        print(divmod(x, 2.0), divmod(i, x), divmod(x, -3), math.remainder(i, x), math.remainder(x, i))
    return whole, math.modf(x), math.frexp(x), math.ldexp(x, 3), math.gcd(i, 21), math.factorial(abs(i))
