# Futures in a tuple.
# run: main(3)
import torch


def double(n: int) -> int:
    return n * 2


def text(n: int) -> str:
    return "n" + str(n)


def main(n: int):
    pair = (torch.jit.fork(double, n), torch.jit.fork(text, n))
    a, b = pair
    return a.wait(), b.wait(), pair[0].wait()
