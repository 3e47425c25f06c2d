# run: main(2)
from typing import Any

import torch


def kind(x: Any) -> str:
    if isinstance(x, int):
        return "int"
    return "other"


def main(n: int):
    return torch.jit.fork(kind, n).wait() + torch.jit.fork(kind, "s").wait()
