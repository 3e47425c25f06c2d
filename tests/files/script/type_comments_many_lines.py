# run: main(1, [2, 3])
def main(n,   # type: int
         xs   # type: List[int]
         ):
    # type: (...) -> int
    return n + xs[0]
