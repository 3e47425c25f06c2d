# run: main(zeros(2, 3))
# run: main(tensor(1.0))
def main(x: Tensor):
    return x.size(0), x.size(-1), x.shape[1], len(x)
# DIFFERS: TorchScript prints places in its own sources for `x.shape`
