# run: main(tensor([7.0, -7.0]), tensor([2.0, 2.0]))
# run: main(tensor(7.5), tensor(2))
def main(x, y):
    z = x // 3
    return z, x // y, x // 2.0, (x // 2) * 2
# DIFFERS: TorchScript prints places in its own sources for `x // 3`
