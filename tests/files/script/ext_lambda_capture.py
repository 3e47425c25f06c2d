# run: main(3)
import torch


def main(n: int) -> int:
    k = n + 1
    f = torch.jit.fork(lambda: k * 10)
    g = torch.jit.fork(lambda x: x + k, 5)
    return f.wait() + g.wait()
