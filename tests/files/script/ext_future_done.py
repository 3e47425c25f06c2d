# run: main(3)
import torch


def task(n: int) -> int:
    return n + 1


def main(n: int):
    f = torch.jit.fork(task, n)
    r = f.wait()
    return f.done(), r
