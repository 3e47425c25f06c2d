# run: main(3)
import torch


def task(n: int) -> int:
    return n + 1


def main(n: int):
    f = torch.jit.fork(task, n)
    f.wait()
    v = f.value()
    if v is None:
        return -1
    return v
