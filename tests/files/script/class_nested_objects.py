# run: main(2)
import torch


class Inner:
    def __init__(self, n: int):
        self.n = n


class Outer:
    def __init__(self, n: int):
        self.inner = Inner(n)
        self.k = 10

    def total(self) -> int:
        return self.inner.n * self.k


def main(n: int):
    o = Outer(n)
    o.inner.n += 5
    alias = o.inner
    alias.n += 1
    return o.total()
