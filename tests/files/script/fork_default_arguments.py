# run: main(1)
import torch


def task(a: int, b: float = 0.5, c: str = "c", d: bool = True) -> str:
    return str(a) + str(b) + c + str(d)


def main(n: int):
    return torch.jit.fork(task, n).wait(), torch.jit.fork(task, n, c="x").wait(), torch.jit.fork(task, d=False, a=n).wait()
