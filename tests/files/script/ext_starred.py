# run: main([1, 2, 3, 4])
def main(xs: list[int]):
    a, *b = xs
    return a, b
