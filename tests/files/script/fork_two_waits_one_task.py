# Two tasks wait for one future.
# run: main(3)
import torch
from torch.futures import Future


def slow(n: int) -> int:
    total = 0
    for i in range(1000):
        total += n
    return total


def use(f: Future[int], k: int) -> int:
    return f.wait() * k


def main(n: int):
    f = torch.jit.fork(slow, n)
    a = torch.jit.fork(use, f, 2)
    b = torch.jit.fork(use, f, 3)
    return a.wait(), b.wait()
