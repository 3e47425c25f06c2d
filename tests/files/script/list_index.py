# run: main([1, 2, 3], 0)
# run: main([1, 2, 3], -1)
# run: main([1, 2, 3], 3)
# run: main([], 0)
def main(xs: List[int], i: int) -> int:
    return xs[i]
