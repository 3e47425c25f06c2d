# The kind of an error is kept by a fork.
# run: main(0)
# run: main(2)
import torch


def task(n: int) -> int:
    if n == 0:
        raise ValueError("zero")
    return 10 // n


def main(n: int) -> str:
    f = torch.jit.fork(task, n)
    try:
        r = f.wait()
    except ValueError as e:
        return "ValueError " + str(e)
    return str(r)
