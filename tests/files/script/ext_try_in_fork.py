# run: main(4)
import torch


def safe(n: int, d: int) -> int:
    try:
        return n // d
    except ZeroDivisionError:
        return -1
    finally:
        n += 1


def main(n: int):
    futures = [torch.jit.fork(safe, n, i) for i in range(4)]
    return [torch.jit.wait(f) for f in futures]
