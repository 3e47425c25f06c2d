# run: main(5)
import torch


class Num:
    def __init__(self, n: int):
        self.n = n

    def __int__(self) -> int:
        return self.n

    def __float__(self) -> float:
        return self.n * 0.5

    def __bool__(self) -> bool:
        return self.n != 0

    def __str__(self) -> str:
        return "Num" + str(self.n)

    def __abs__(self) -> int:
        return abs(self.n)


def main(n: int):
    x = Num(-n)
    r = 0
    if x:
        r = 1
    return int(x), float(x), bool(Num(0)), str(x), abs(x), r
