# run: main(ramp(2, 3))
def main(x: Tensor):
    return x[0], x[1, 2], x[-1], x[0][1], x[:, 1], x[..., 0]
