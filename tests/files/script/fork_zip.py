# run: main([1, 2], ["a", "b"])
from typing import List

import torch


def join(n: int, s: str) -> str:
    return s + str(n)


def main(a: List[int], b: List[str]):
    futures = [torch.jit.fork(join, x, y) for x, y in zip(a, b)]
    return [f.wait() for f in futures]
