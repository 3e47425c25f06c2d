# run: main(3)
import torch


def task(a: int, b: int, c: int = 5) -> int:
    return a * 100 + b * 10 + c


def main(n: int) -> int:
    a = torch.jit.fork(task, b=n, a=1)
    b = torch.jit.fork(task, 1, c=7, b=2)
    return a.wait() + b.wait()
