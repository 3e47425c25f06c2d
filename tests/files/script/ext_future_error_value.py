# value() of a future that failed raises its error.
# run: main(0)
# run: main(2)
import torch


def task(n: int) -> int:
    if n == 0:
        raise ValueError("zero")
    return n


def main(n: int):
    f = torch.jit.fork(task, n)
    try:
        f.wait()
    except ValueError:
        pass
    v = f.value()
    return -1 if v is None else v
