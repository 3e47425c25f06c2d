# The error of a fork comes out of its wait.
# run: main(1)
# run: main(-1)
import torch


def task(n: int) -> int:
    if n < 0:
        raise RuntimeError("negative: " + str(n))
    return n


def main(n: int) -> int:
    f = torch.jit.fork(task, n)
    return f.wait() + 1
