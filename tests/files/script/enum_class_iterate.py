# run: main(1)
import enum
from typing import List

import torch


class Size(enum.Enum):
    SMALL = 1
    MEDIUM = 5


def main(n: int):
    names: List[str] = []
    for s in Size:
        if s.value >= n:
            names.append(s.name)
    return names
