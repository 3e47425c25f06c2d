# A free function forked with a keyword argument.
# run: main(tensor([1.0, 2.0]))
import torch
from torch import Tensor


def task(x: Tensor, n: int = 1) -> Tensor:
    return x + n


def main(x: Tensor) -> Tensor:
    a = torch.jit.fork(task, x, n=2)
    b = torch.jit.fork(task, x)
    return torch.jit.wait(a) * torch.jit.wait(b)
