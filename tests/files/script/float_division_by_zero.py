# run: main(1.0, 0.0)
# run: main(1.0, 4.0)
def main(a: float, b: float) -> float:
    return a / b
