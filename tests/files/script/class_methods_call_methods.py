# run: main(4)
import torch


class Calc:
    def __init__(self, n: int):
        self.n = n

    def square(self) -> int:
        return self.n * self.n

    def cube(self) -> int:
        return self.square() * self.n

    def grow(self) -> "Calc":
        self.n += 1
        return self


def main(n: int):
    return Calc(n).cube(), Calc(n).grow().grow().square()
