# run: main([1, 2, 3])
def main(xs: list[int]):
    return [x for x in reversed(xs)]
