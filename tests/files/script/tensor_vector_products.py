# run: main(tensor([1.0, 2.0]), tensor([[1.0, 0.0], [0.0, 2.0]]))
def main(v: Tensor, m: Tensor):
    return torch.matmul(v, v), torch.matmul(m, v), v @ m
