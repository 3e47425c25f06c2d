# run: main(tensor([[2.0, 1.0], [1.0, 3.0]]), 5)
def main(m: Tensor, n: int):
    v = torch.ones(2)
    for i in range(n):
        v = m @ v
        v = v / v.sum()
    return v
