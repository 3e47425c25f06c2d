# run: main(3)
from typing import List

import torch
from torch.futures import Future


def square(n: int) -> int:
    return n * n


def total(futures: List[Future[int]]) -> int:
    n = 0
    for f in futures:
        n += f.wait()
    return n


def main(n: int) -> int:
    futures = [torch.jit.fork(square, i) for i in range(n)]
    return torch.jit.fork(total, futures).wait() + total(futures)
