# run: main(3)
import torch


class Box:
    def __init__(self, side: int):
        self.side = side

    @property
    def area(self) -> int:
        return self.side * self.side


def main(n: int):
    b = Box(n)
    b.side += 1
    return b.area
