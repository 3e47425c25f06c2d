# Futures waited for in another order.
# run: main()
from typing import List

import torch


def text(n: int) -> str:
    return str(n)


def main() -> str:
    futures = [torch.jit.fork(text, i) for i in range(5)]
    s = ""
    for i in range(5):
        s += futures[4 - i].wait()
    return s
