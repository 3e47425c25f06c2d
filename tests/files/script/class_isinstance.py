# run: main(3)
from typing import Any

import torch


class A:
    def __init__(self, n: int):
        self.n = n


class B:
    def __init__(self, s: str):
        self.s = s


def kind(x: Any) -> str:
    if isinstance(x, A):
        return "A" + str(x.n)
    if isinstance(x, B):
        return "B" + x.s
    return "other"


def main(n: int):
    return kind(A(n)), kind(B("b")), kind(n)
