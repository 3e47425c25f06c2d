# run: main(ramp(2, 2))
def main(x: Tensor):
    a, b = torch.unbind(x)
    c, d = x.unbind(1)
    return a, b, c, d
