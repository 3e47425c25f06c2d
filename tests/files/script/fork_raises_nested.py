# An error through two forks.
# run: main(0)
# run: main(5)
import torch


def inner(n: int) -> int:
    return 100 // n


def outer(n: int) -> int:
    return torch.jit.fork(inner, n).wait() + 1


def main(n: int) -> int:
    return torch.jit.fork(outer, n).wait()
