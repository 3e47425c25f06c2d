# run: main(3)
from typing import Optional

import torch


class Node:
    def __init__(self, n: int):
        self.n = n


def find(n: int) -> Optional[Node]:
    if n > 2:
        return Node(n)
    return None


def main(n: int):
    a = find(n)
    b = find(0)
    r = 0
    if a is not None:
        r += a.n
    if b is not None:
        r += 1000
    return r
