# Two names of one list; a copy is another.
# run: main([1])
def main(xs: List[int]):
    ys = xs
    zs = xs[:]
    ys.append(2)
    zs.append(3)
    return xs, ys, zs, xs is ys
