# A number on either side.
# run: main(tensor([1.0, -2.0]), 3, 0.5)
# run: main(tensor([4, 6]), 2, 0.5)
def main(x: Tensor, n: int, f: float):
    return x + n, n + x, x * f, f - x, x - n, x / n, n / x, 2 * x + 1
# DIFFERS: TorchScript prints places in its own sources for `2 - x`
