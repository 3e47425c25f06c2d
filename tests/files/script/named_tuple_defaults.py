# run: main(3)
from typing import NamedTuple

import torch


class Options(NamedTuple):
    size: int
    name: str = "none"
    ratio: float = 0.5


def main(n: int):
    o = Options(n)
    p = Options(n, ratio=2.0)
    return o.name, o.ratio, p.name, p.ratio
