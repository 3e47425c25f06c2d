# What a fork does to a list is seen after the wait.
# run: main([1])
from typing import List

import torch


def add(xs: List[int], n: int) -> int:
    xs.append(n)
    return len(xs)


def main(xs: List[int]):
    n = torch.jit.fork(add, xs, 2).wait()
    m = torch.jit.fork(add, xs, 3).wait()
    return xs, n, m
