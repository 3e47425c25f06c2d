# run: main([1, 2, 3])
def main(xs: List[int]):
    del xs[0]
    del xs[-1]
    return xs
