# run: main(tensor([1.0, 2.0]))
import torch
from torch import Tensor


class Accumulator:
    def __init__(self, total: Tensor):
        self.total = total

    def add(self, x: Tensor) -> None:
        self.total = self.total + x


def main(x: Tensor):
    a = Accumulator(torch.zeros(2))
    for i in range(3):
        a.add(x * i)
    return a.total
