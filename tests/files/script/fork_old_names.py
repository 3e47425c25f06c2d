# The names of older releases.
# run: main(tensor([1.0]))
import torch
from torch import Tensor


def task(x: Tensor) -> Tensor:
    return x - 1


def main(x: Tensor):
    f = torch.jit._fork(task, x)
    return torch.jit._wait(f)
