# Futures in a list.
# run: main(4)
# run: main(0)
from typing import List

import torch
from torch.futures import Future


def square(n: int) -> int:
    return n * n


def main(n: int) -> int:
    futures: List[Future[int]] = []
    for i in range(n):
        futures.append(torch.jit.fork(square, i))
    total = 0
    for future in futures:
        total += torch.jit.wait(future)
    return total
