# run: main(0)
# run: main(1)
import torch


def task(n: int) -> int:
    if n == 0:
        raise ValueError("not zero")
    return n


def main(n: int) -> int:
    return torch.jit.wait(torch.jit.fork(task, n))
