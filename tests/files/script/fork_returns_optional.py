# run: main(3)
# run: main(-3)
from typing import Optional

import torch


def task(n: int) -> Optional[int]:
    if n > 0:
        return n
    return None


def main(n: int):
    r = torch.jit.fork(task, n).wait()
    if r is None:
        return 0
    return r + 1
