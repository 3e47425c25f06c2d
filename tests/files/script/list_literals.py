# run: main(1)
def main(n: int):
    a = [1, 2, n]
    b = [1.0, 2.5]
    c = ["x", "y"]
    d = [True, n > 0]
    e = [[1], [2, 3]]
    f = [(1, "a"), (2, "b")]
    return a, b, c, d, e, f
