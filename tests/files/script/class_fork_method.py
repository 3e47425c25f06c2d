# A method forked.
# run: main(3)
import torch


class Worker:
    def __init__(self, k: int):
        self.k = k

    def work(self, n: int, m: int = 1) -> int:
        return self.k * n + m


def main(n: int):
    w = Worker(10)
    a = torch.jit.fork(w.work, n)
    b = torch.jit.fork(w.work, n, m=5)
    return a.wait(), b.wait()
