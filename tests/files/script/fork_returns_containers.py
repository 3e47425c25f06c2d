# run: main(3)
from typing import Dict, List

import torch


def numbers(n: int) -> List[int]:
    return [i for i in range(n)]


def table(n: int) -> Dict[str, int]:
    return {"n": n}


def main(n: int):
    a = torch.jit.fork(numbers, n)
    b = torch.jit.fork(table, n)
    return a.wait()[1], b.wait()["n"], sum(a.wait())
