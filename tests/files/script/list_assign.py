# run: main([1, 2, 3])
# run: main([1])
def main(xs: List[int]):
    xs[0] = 10
    xs[-1] += 5
    xs[1] = xs[0] * 2
    return xs
