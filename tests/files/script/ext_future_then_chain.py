# run: main(2)
import torch


def task(n: int) -> int:
    return n + 1


def text(n: int) -> str:
    return "<" + str(n) + ">"


def double(s: str) -> str:
    return s + s


def main(n: int) -> str:
    return torch.jit.fork(task, n).then(text).then(double).wait()
