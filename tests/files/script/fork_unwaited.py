# Nobody waits: the result is dropped.
# run: main(3)
import torch


def task(n: int) -> int:
    return n * 2


def main(n: int) -> int:
    torch.jit.fork(task, n)
    f = torch.jit.fork(task, n)
    return n
# DIFFERS: TorchScript drops forks that nobody waits for, with what they do
