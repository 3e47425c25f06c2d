# run: main(3)
import torch


def task(n: int) -> int:
    print("in the task", n)
    return n


def main(n: int) -> int:
    r = torch.jit.fork(task, n).wait()
    print("after", r)
    return r
