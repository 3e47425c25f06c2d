# ERROR: 5:14-15: argument 'xs' of f must be List[int], not List[float]
def f(xs: List[int]) -> int:
    return xs[0]
def main(xs: List[float]):
    return f(xs)
