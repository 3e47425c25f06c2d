# run: main([1])
def main(xs: List[int]):
    ys = xs
    xs += [2, 3]
    return xs, ys
