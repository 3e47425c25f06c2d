# run: main(3)
from typing import *
import torch as t


def main(n: int):
    xs: List[int] = [n]
    return xs, t.ones(1)
