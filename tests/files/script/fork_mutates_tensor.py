# run: main(tensor([1.0, 2.0]))
import torch
from torch import Tensor


def increment(x: Tensor) -> None:
    x += 1


def main(x: Tensor):
    f = torch.jit.fork(increment, x)
    f.wait()
    return x
