# run: main(2)
def main(n: int):
    return torch.zeros(n), torch.zeros([n, 3]), torch.ones(n, 2), torch.full([n], 2.5), torch.arange(n), torch.zeros(2, dtype=torch.int64)
