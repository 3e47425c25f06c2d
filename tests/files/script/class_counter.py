# run: main(3)
import torch


class Counter:
    def __init__(self, start: int):
        self.value = start

    def add(self, n: int = 1) -> int:
        self.value += n
        return self.value


def main(n: int):
    c = Counter(n)
    c.add()
    c.add(10)
    return c.value, c.add(n=100)
