# run: main(3, 5, 2.5)
# run: main(5, 3, -1.0)
def main(a: int, b: int, x: float):
    return min(a, b), max(a, b), max(x, 1.0), min(a, x), max([a, b, 4]), min([x, 0.0])
