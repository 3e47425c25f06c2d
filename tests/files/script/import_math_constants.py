# run: main(2)
import math


def main(n: int):
    return math.pi * n, math.e, math.inf, math.gcd(12, 18), math.factorial(n + 3), math.degrees(math.pi), math.radians(180.0)
