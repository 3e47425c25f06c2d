# run: main(tensor([1.0, 2.0, 5.0]))
def main(x: Tensor):
    m = x.sum() / x.size(0)
    d = x - m
    return d / ((d * d).sum() / x.size(0)) ** 0.5
