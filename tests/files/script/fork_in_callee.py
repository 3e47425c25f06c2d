# The function that is called forks.
# run: main(3)
import torch


def leaf(n: int) -> int:
    return n * n


def helper(n: int) -> int:
    a = torch.jit.fork(leaf, n)
    b = torch.jit.fork(leaf, n + 1)
    return a.wait() - b.wait()


def main(n: int) -> int:
    return helper(n) + helper(helper(n))
