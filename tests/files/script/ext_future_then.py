# A callback gets the result.
# run: main(3)
import torch


def task(n: int) -> int:
    return n + 1


def times_ten(n: int) -> int:
    return n * 10


def main(n: int) -> int:
    f = torch.jit.fork(task, n)
    return f.then(times_ten).wait()
