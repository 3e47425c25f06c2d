# run: main(tensor([2.0]))
import torch
from torch import Tensor


@torch.jit.interface
class Shape:
    def area(self, x: Tensor) -> Tensor:
        pass


class Square:
    def __init__(self, side: int):
        self.side = side

    def area(self, x: Tensor) -> Tensor:
        return x * self.side * self.side


class Circle:
    def __init__(self, r: float):
        self.r = r

    def area(self, x: Tensor) -> Tensor:
        return x * self.r * self.r * 3.0


def measure(s: Shape, x: Tensor) -> Tensor:
    return s.area(x)


def main(x: Tensor):
    return measure(Square(2), x), measure(Circle(1.0), x)
