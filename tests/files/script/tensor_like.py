# run: main(tensor([[1.0, 2.0]]))
def main(x: Tensor):
    return torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 7)
