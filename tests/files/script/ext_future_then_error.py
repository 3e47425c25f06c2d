# An error goes through then unchanged.
# run: main(1)
# run: main(0)
import torch


def task(n: int) -> int:
    if n == 0:
        raise ValueError("zero")
    return n


def next(n: int) -> int:
    return n + 1


def main(n: int) -> int:
    return torch.jit.fork(task, n).then(next).wait()
