# run: main([0, 1, 2, 3, 4, 5])
# run: main([])
def main(xs: List[int]):
    return xs[1:3], xs[:2], xs[3:], xs[:], xs[::2], xs[1:5:3], xs[-2:], xs[:-1], xs[10:]
