# run: main({"a": 1})
from typing import Dict

import torch


def put(d: Dict[str, int], k: str) -> int:
    d[k] = len(d)
    return d[k]


def main(d: Dict[str, int]):
    a = torch.jit.fork(put, d, "x").wait()
    b = torch.jit.fork(put, d, "y").wait()
    return d, a + b
