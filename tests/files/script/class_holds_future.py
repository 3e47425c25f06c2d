# run: main(3)
import torch
from torch.futures import Future


class Job:
    def __init__(self, f: Future[int]):
        self.f = f

    def result(self) -> int:
        return self.f.wait()


def task(n: int) -> int:
    return n * 7


def main(n: int):
    j = Job(torch.jit.fork(task, n))
    return j.result()
