# run: main(["a", "b"], 2)
from typing import Dict, List

import torch
from torch.futures import Future


def tag(s: str, i: int) -> str:
    return s + str(i)


def main(names: List[str], n: int):
    futures: Dict[str, List[Future[str]]] = {}
    for name in names:
        futures[name] = [torch.jit.fork(tag, name, i) for i in range(n)]
    out: List[str] = []
    for name in names:
        for f in futures[name]:
            out.append(f.wait())
    return out
