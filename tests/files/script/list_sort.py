# run: main([3, 1, 2], ["b", "a"])
def main(xs: List[int], ys: List[str]):
    xs.sort()
    ys.sort()
    zs = sorted(xs)
    xs.sort(reverse=True)
    return xs, ys, zs
