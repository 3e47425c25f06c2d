# run: main(3)
import torch


class Scale:
    def __init__(self, factor: int = 2, offset: float = 0.5):
        self.factor = factor
        self.offset = offset

    def apply(self, x: float, times: int = 1, negate: bool = False) -> float:
        for i in range(times):
            x = x * self.factor + self.offset
        if negate:
            return -x
        return x


def main(n: int):
    a = Scale()
    b = Scale(offset=1.0)
    return a.apply(float(n)), b.apply(1.0, times=2), b.apply(x=1.0, negate=True)
