# run: main([(1, "a"), (2, "b")])
def main(xs: List[Tuple[int, str]]):
    return [s for n, s in xs], [n + 1 for n, s in xs]
