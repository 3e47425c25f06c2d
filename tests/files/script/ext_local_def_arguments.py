# run: main(3)
import torch


def main(n: int) -> int:
    m = n * 2

    def task(a: int, b: int = 1) -> int:
        return a * 100 + b * 10 + m

    return torch.jit.fork(task, 1).wait() + torch.jit.fork(task, b=2, a=3).wait()
