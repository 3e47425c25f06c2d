# Only the chosen side is evaluated.
# run: main([], 0)
# run: main([4], 0)
def main(xs: List[int], other: int):
    return xs[0] if len(xs) > 0 else other
