# A future is the argument of another fork.
# run: main(tensor([1.0]))
import torch
from torch import Tensor
from torch.futures import Future


def task(x: Tensor) -> Tensor:
    return x + 1


def after(f: Future[Tensor], x: Tensor) -> Tensor:
    return torch.jit.wait(f) * x


def main(x: Tensor):
    first = torch.jit.fork(task, x)
    second = torch.jit.fork(after, first, x + 2)
    return second.wait(), first.wait()
