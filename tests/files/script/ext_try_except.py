# run: main([1, 2], 1)
# run: main([1, 2], 5)
def main(xs: list[int], i: int) -> int:
    try:
        return xs[i]
    except IndexError:
        return -1
