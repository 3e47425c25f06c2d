# run: main(3, 2.75)
# run: main(-3, -2.75)
# run: main(0, 0.0)
def main(n: int, x: float):
    return float(n), int(x), bool(n), bool(x), str(n), str(x), int(True), float(False)
