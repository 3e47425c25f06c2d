# run: main(1)
import torch


def double(n: int) -> int:
    return n * 2


def main(n: int) -> int:
    f = torch.jit.fork(double, n)
    while f.wait() < 100:
        f = torch.jit.fork(double, f.wait())
    return f.wait()
