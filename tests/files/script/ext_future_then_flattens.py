# A callback that returns a future is waited for.
# run: main(3)
import torch
from torch.futures import Future


def task(n: int) -> int:
    return n + 1


def again(n: int) -> Future[int]:
    return torch.jit.fork(task, n * 10)


def main(n: int) -> int:
    return torch.jit.fork(task, n).then(again).wait()
