# A function defined inside, with what it captures.
# run: main(3)
import torch


def main(n: int) -> int:
    m = n * 2

    def task(a: int) -> int:
        return a + 10

    f = torch.jit.fork(task, m)
    return f.wait()
