# run: main(tensor([1.0, -2.0, 3.0]))
def main(x: Tensor):
    return x[x > 0], x[torch.tensor([2, 0])], x[[0, 1]]
