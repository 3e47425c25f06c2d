# run: main(3)
from typing import NamedTuple

import torch


class Pair(NamedTuple):
    first: int
    second: str


def make(n: int) -> Pair:
    return Pair(n, "s" + str(n))


def main(n: int):
    a, b = make(n)
    return a, b, make(n + 1).second
