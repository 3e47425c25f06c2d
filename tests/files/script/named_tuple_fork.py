# run: main(tensor([1.0, 2.0]))
from typing import NamedTuple

import torch
from torch import Tensor


class Stats(NamedTuple):
    total: Tensor
    count: int


def stats(x: Tensor) -> Stats:
    return Stats(x.sum(), x.size(0))


def main(x: Tensor):
    s = torch.jit.fork(stats, x).wait()
    return s.total / s.count
