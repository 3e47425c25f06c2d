# run: main(1, "a")
def main(n: int, s: str):
    t = (n, s, 2.5)
    a, b, c = t
    return t[0], t[1], t[-1], t[1:], t[:2], a, b, c, len(t)
