# A future of a future.
# run: main(5)
import torch
from torch.futures import Future


def task(n: int) -> int:
    return n + 1


def starts(n: int) -> Future[int]:
    return torch.jit.fork(task, n)


def main(n: int):
    outer = torch.jit.fork(starts, n)
    direct = starts(n * 2)
    return outer.wait().wait(), direct.wait()
