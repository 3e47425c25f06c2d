# run: main(tensor([1, 2]))
def main(x: Tensor):
    y = x.to(torch.float32)
    return y, y.to(torch.int64), y.double(), x.float(), y.int(), x.is_floating_point()
