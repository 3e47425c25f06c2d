# run: main(tensor([1.0, 2.0, 3.0]), tensor([2.0, 2.0, 2.0]))
def main(x: Tensor, y: Tensor):
    return x < y, x <= y, x > y, x >= y, x == y, x != y, x > 1, torch.eq(x, y)
