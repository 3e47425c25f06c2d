# A fork in a fork in a fork.
# run: main(2)
import torch


def three(n: int) -> int:
    return n + 1


def two(n: int) -> int:
    a = torch.jit.fork(three, n)
    b = torch.jit.fork(three, n * 10)
    return a.wait() + b.wait()


def one(n: int) -> int:
    return torch.jit.fork(two, n).wait() * 2


def main(n: int) -> int:
    f = torch.jit.fork(one, n)
    return f.wait() + torch.jit.fork(two, n).wait()
