# A function may fork itself.
# run: main(12)
import torch


def main(n: int) -> int:
    if n < 2:
        return n
    a = torch.jit.fork(main, n - 1)
    b = torch.jit.fork(main, n - 2)
    return a.wait() + b.wait()
