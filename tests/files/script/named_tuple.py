# run: main(3)
from typing import NamedTuple

import torch


class Point(NamedTuple):
    x: int
    y: float


def main(n: int):
    p = Point(n, 0.5)
    q = Point(y=1.5, x=2)
    return p.x + q.x, p.y + q.y, p[0], len(p)
