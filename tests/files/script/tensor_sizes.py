# run: main(zeros(2, 3))
# run: main(tensor(1.0))
def main(x: Tensor):
    return x.dim(), x.numel(), x.size(), x.shape, len(x.shape)
# DIFFERS: TorchScript prints places in its own sources for `x.shape`
