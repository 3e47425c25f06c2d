# run: main(tensor([[1.0, 2.0], [3.0, 4.0]]))
def main(x: Tensor):
    return x.sum(), torch.sum(x, dim=0), x.sum([0, 1]), x.sum(1, keepdim=True), x.sum(-1)
