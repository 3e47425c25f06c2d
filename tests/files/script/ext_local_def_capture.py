# A function defined inside captures what is around it.
# run: main(3)
import torch


def main(n: int) -> int:
    m = n * 2

    def task() -> int:
        return m + n

    return torch.jit.fork(task).wait()
