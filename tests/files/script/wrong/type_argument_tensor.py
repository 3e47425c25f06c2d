# ERROR: 5:14: argument 'x' of f must be Tensor, not int
def f(x: Tensor) -> Tensor:
    return x
def main(n: int):
    return f(n)
