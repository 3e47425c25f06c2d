# A matrix product, one fork a row.
# run: main(ramp(3, 2), ramp(2, 2))
from typing import List

import torch
from torch import Tensor


def row_product(row: Tensor, m: Tensor) -> Tensor:
    return row @ m


def main(a: Tensor, b: Tensor):
    futures = [torch.jit.fork(row_product, row, b) for row in a]
    return torch.stack([f.wait() for f in futures])
