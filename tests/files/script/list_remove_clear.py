# run: main([1, 2, 1])
# run: main([2])
def main(xs: List[int]):
    xs.remove(1)
    a = len(xs)
    ys = xs.copy()
    xs.clear()
    return a, xs, ys
