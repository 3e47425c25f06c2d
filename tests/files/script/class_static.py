# run: main(3)
import torch


class Tools:
    def __init__(self):
        self.n = 0

    @staticmethod
    def twice(n: int) -> int:
        return n * 2


def main(n: int):
    return Tools.twice(n)
