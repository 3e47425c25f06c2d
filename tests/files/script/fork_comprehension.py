# Futures made and waited for in comprehensions.
# run: main([tensor([1.0]), tensor([2.0])])
from typing import List

import torch
from torch import Tensor


def task(x: Tensor) -> Tensor:
    return x + 1


def main(xs: List[Tensor]):
    futures = [torch.jit.fork(task, x) for x in xs]
    return [torch.jit.wait(f) for f in futures]
