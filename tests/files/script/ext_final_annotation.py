# run: main(3)
from typing import List

import torch


def main(n: int):
    limit: torch.jit.Final[int] = 10
    return n + limit
