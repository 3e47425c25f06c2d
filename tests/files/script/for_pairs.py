# run: main([(1, "a"), (2, "b")])
def main(xs: List[Tuple[int, str]]):
    n = 0
    s = ""
    for a, b in xs:
        n += a
        s += b
    return n, s
