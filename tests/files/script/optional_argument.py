# run: main(tensor([1.0]))
def scale(x: Tensor, by: Optional[float] = None) -> Tensor:
    if by is None:
        return x
    return x * by
def main(x: Tensor):
    return scale(x), scale(x, 2.0), scale(x, by=None)
