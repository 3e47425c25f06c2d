# run: main([3, 1, 2])
from typing import List

import torch


class Item:
    def __init__(self, n: int):
        self.n = n


def main(xs: List[int]):
    items = [Item(x) for x in xs]
    items[0].n = 100
    return [i.n for i in items]
