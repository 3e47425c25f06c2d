# An int and a float give a float.
# run: main(3, 0.5)
# run: main(-3, 2.0)
def main(n: int, x: float):
    return n + x, x - n, n * x, x / n, n ** x, n // x, n % x, n < x, x >= n, n == x
