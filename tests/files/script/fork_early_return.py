# run: main(3)
# run: main(-3)
import torch


def task(n: int) -> int:
    return n * 2


def main(n: int) -> int:
    f = torch.jit.fork(task, n)
    if n < 0:
        return f.wait()
    g = torch.jit.fork(task, n + 1)
    return f.wait() + g.wait()
