# The same name is one future or the other.
# run: main(3, True)
# run: main(3, False)
import torch


def add(n: int) -> int:
    return n + 1


def sub(n: int) -> int:
    return n - 1


def main(n: int, flag: bool) -> int:
    if flag:
        f = torch.jit.fork(add, n)
    else:
        f = torch.jit.fork(sub, n)
    return f.wait()
