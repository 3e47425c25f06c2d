# run: main([1])
from typing import List

import torch


def task(xs: List[int]) -> None:
    xs.append(5)


def main(xs: List[int]):
    nothing = torch.jit.fork(task, xs).wait()
    return nothing, xs
