# run: main(3)
from typing import List, NamedTuple, Tuple

import torch


class Point(NamedTuple):
    x: int
    y: int = 7


def swap(p: Point) -> Point:
    return Point(p.y, p.x)


def main(n: int):
    p = swap(Point(n))
    a, b = p
    points: List[Point] = [p, Point(1, 2)]
    total = 0
    for q in points:
        total += q.x * q.y
    return a, b, total, p == Point(7, n)
