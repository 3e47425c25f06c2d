# Every simple type crosses a fork.
# run: main(1, 2.5, True, "s")
import torch


def task(a: int, b: float, c: bool, d: str) -> str:
    return d + str(a) + str(b) + str(c)


def main(a: int, b: float, c: bool, d: str) -> str:
    return torch.jit.fork(task, a, b, c, d).wait() + torch.jit.fork(task, 7, 0.5, False, "x").wait()
