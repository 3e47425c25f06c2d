# run: main(5)
def main(n: int):
    return torch.arange(n), torch.arange(1, n), torch.arange(0, n, 2), torch.arange(0.0, 1.0, 0.25)
