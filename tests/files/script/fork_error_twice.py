# run: main(0)
import torch


def task(n: int) -> int:
    assert n > 0, "must be positive"
    return n


def main(n: int):
    f = torch.jit.fork(task, n)
    return f.wait() + f.wait()
