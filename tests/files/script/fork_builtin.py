# Operators are forked like functions.
# run: main(tensor([1.0, -2.0]))
import torch
from torch import Tensor


def main(x: Tensor):
    a = torch.jit.fork(torch.neg, x)
    b = torch.jit.fork(torch.add, x, x, alpha=2)
    c = torch.jit.fork(torch.relu, x)
    return a.wait(), b.wait(), c.wait()
