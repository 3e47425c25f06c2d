# run: main(tensor([1.0, -2.0]))
def main(x: Tensor):
    y = x.add_(1).mul_(2)
    y.relu_()
    z = x.clone()
    z.zero_()
    z.fill_(3.0)
    return x, y, z
