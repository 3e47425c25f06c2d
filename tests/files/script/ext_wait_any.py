# The first of futures; here all have one result.
# run: main(3)
import torch
from torch.futures import wait_any


def task(n: int, k: int) -> int:
    return n * 10


def main(n: int) -> int:
    return wait_any([torch.jit.fork(task, n, k) for k in range(4)])
