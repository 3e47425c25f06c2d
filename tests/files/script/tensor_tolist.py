# run: main(tensor([1, 2, 3]))
def main(x: Tensor):
    xs: List[int] = x.tolist()
    return xs, sum(xs)
