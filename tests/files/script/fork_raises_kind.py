# run: main([1, 2], 1)
# run: main([1, 2], 5)
from typing import List

import torch


def task(xs: List[int], i: int) -> int:
    return xs[i]


def main(xs: List[int], i: int) -> int:
    return torch.jit.wait(torch.jit.fork(task, xs, i))
