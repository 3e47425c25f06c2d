# run: main(7)
from typing import Tuple

import torch


def both(n: int) -> Tuple[int, str]:
    return n // 2, str(n)


def main(n: int):
    a, b = torch.jit.fork(both, n).wait()
    f = torch.jit.fork(both, a)
    return a, b, f.wait()[1]
