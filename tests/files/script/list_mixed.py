# Elements of several types make a Union.
# run: main(3)
def main(n: int):
    xs = [n, "a"]
    x = xs[0]
    if isinstance(x, int):
        return x + 1
    return 0
