# Sums in a tree, level by level.
# run: main([1, 2, 3, 4, 5])
# run: main([9])
from typing import List

import torch
from torch.futures import Future


def add(a: int, b: int) -> int:
    return a + b


def main(xs: List[int]) -> int:
    while len(xs) > 1:
        futures: List[Future[int]] = []
        for i in range(len(xs) // 2):
            futures.append(torch.jit.fork(add, xs[2 * i], xs[2 * i + 1]))
        rest = [f.wait() for f in futures]
        if len(xs) % 2 == 1:
            rest.append(xs[-1])
        xs = rest
    return xs[0]
