# run: main(tensor([1.0, 2.0]))
def main(x: Tensor):
    y = x
    x += 1
    x *= 2.0
    x -= torch.ones(2)
    x /= 2
    return x, y, x is y
