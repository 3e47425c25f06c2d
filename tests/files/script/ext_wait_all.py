# run: main(3)
import torch
from torch.futures import wait_all


def square(n: int) -> int:
    return n * n


def main(n: int):
    return wait_all([torch.jit.fork(square, i) for i in range(n)])
