# run: main(ramp(2, 3))
def main(x: Tensor):
    return x.t(), x.transpose(0, 1), x.permute(1, 0), x.permute([1, 0]).contiguous(), x.expand(2, 2, 3)
