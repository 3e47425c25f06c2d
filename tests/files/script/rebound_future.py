# run: main(3)
import torch


def number(n: int) -> int:
    return n + 1


def text(n: int) -> str:
    return str(n)


def main(n: int):
    f = torch.jit.fork(number, n)
    a = f.wait()
    f = torch.jit.fork(text, n)
    return a, f.wait()
