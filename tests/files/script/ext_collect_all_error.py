# run: main(2)
# run: main(5)
import torch


def inverse(n: int) -> int:
    if n == 3:
        raise ValueError("three")
    return n * 2


def main(n: int):
    futures = [torch.jit.fork(inverse, i) for i in range(n)]
    return torch.futures.collect_all(futures).wait()
