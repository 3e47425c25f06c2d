# Each stage waits for the one before.
# run: main(tensor([1.0]), 4)
import torch
from torch import Tensor
from torch.futures import Future


def stage(f: Future[Tensor], n: int) -> Tensor:
    return f.wait() * 2 + n


def start(x: Tensor) -> Tensor:
    return x


def main(x: Tensor, n: int):
    f = torch.jit.fork(start, x)
    for i in range(n):
        f = torch.jit.fork(stage, f, i)
    return f.wait()
