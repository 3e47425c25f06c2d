# run: main(10)
import enum

import torch


class Size(enum.Enum):
    SMALL = 1
    MEDIUM = 5
    LARGE = 20


def main(n: int):
    total = 0
    for s in [Size.SMALL, Size.MEDIUM, Size.LARGE]:
        if s.value < n:
            total += s.value
    return total
