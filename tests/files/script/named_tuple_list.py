# run: main(3)
from typing import List, NamedTuple

import torch


class Edge(NamedTuple):
    a: int
    b: int


def main(n: int):
    edges: List[Edge] = []
    for i in range(n):
        edges.append(Edge(i, i * i))
    total = 0
    for e in edges:
        total += e.b - e.a
    return total
