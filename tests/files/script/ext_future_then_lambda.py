# run: main(3)
import torch


def task(n: int) -> int:
    return n + 1


def main(n: int) -> int:
    k = 100
    f = torch.jit.fork(task, n)
    g = f.then(lambda x: x * k + n)
    return g.wait()
