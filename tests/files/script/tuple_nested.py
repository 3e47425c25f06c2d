# run: main(1)
def main(n: int):
    t = ((n, n + 1), (n + 2, ("x", n)))
    (a, b), (c, (d, e)) = t
    return a + b + c + e, d, t[1][1][0], t
