# run: main(arange(3), arange(2))
def main(a: Tensor, b: Tensor):
    return a.unsqueeze(1) + b.unsqueeze(0), a[:, None] * b[None]
