# Callbacks on a list of futures, collected.
# run: main(4)
from typing import List

import torch
from torch.futures import collect_all


def square(n: int) -> int:
    return n * n


def negated(n: int) -> int:
    return -n


def main(n: int) -> List[int]:
    futures = [torch.jit.fork(square, i).then(negated) for i in range(n)]
    return collect_all(futures).wait()
