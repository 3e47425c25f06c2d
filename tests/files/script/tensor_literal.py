# run: main(3)
def main(n: int):
    return torch.tensor(n), torch.tensor([1, 2, n]), torch.tensor([[1.5], [2.5]]), torch.tensor(True), torch.tensor([1, 2], dtype=torch.float32)
