# run: main(4)
import torch
from torch.futures import collect_all


def square(n: int) -> int:
    return n * n


def main(n: int):
    futures = [torch.jit.fork(square, i) for i in range(n)]
    return collect_all(futures).wait()
