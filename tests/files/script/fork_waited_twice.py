# run: main([1])
from typing import List

import torch


def extended(xs: List[int]) -> List[int]:
    return xs + [7]


def main(xs: List[int]):
    f = torch.jit.fork(extended, xs)
    a = f.wait()
    b = torch.jit.wait(f)
    a.append(8)
    return a, b
