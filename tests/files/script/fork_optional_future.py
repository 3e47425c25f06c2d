# run: main(3, True)
# run: main(3, False)
from typing import Optional

import torch
from torch.futures import Future


def add(n: int) -> int:
    return n + 1


def main(n: int, flag: bool) -> int:
    f: Optional[Future[int]] = None
    if flag:
        f = torch.jit.fork(add, n)
    if f is not None:
        return f.wait()
    return n
