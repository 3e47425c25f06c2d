# run: main(7.5, 2.0)
# run: main(-7.5, 2.0)
# run: main(1e308, 10.0)
# run: main(0.1, 0.2)
def main(a: float, b: float):
    return a + b, a - b, a * b, a / b, a // b, a % b, a ** b, -a, abs(a)
