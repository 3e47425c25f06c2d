# run: main(None, [1])
def main(a: Optional[int], xs: List[int]):
    ys = xs
    return a is None, a is not None, ys is xs, xs is not ys
