# run: main(300)
from typing import List

import torch
from torch.futures import Future


def leaf(n: int) -> int:
    return n % 7


def main(n: int) -> int:
    futures: List[Future[int]] = []
    for i in range(n):
        futures.append(torch.jit.fork(leaf, i))
    total = 0
    for f in futures:
        total = total * 3 % 1000003 + f.wait()
    return total
