# run: main([3, 1, 2, 1])
# run: main([5])
def main(xs: List[int]):
    return xs.count(1), 2 in xs, xs.index(1)
