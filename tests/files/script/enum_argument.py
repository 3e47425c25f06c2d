# run: main(2.5)
import enum
from typing import List

import torch


class Rate(enum.Enum):
    SLOW = 0.5
    FAST = 2.0


def scale(x: float, rate: Rate) -> float:
    return x * rate.value


def all_rates() -> List[Rate]:
    return [Rate.SLOW, Rate.FAST]


def main(x: float):
    out: List[float] = []
    for rate in all_rates():
        out.append(scale(x, rate))
    return out, Rate.FAST == all_rates()[1]
