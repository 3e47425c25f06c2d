# Futures in a dict.
# run: main(["a", "bcd"])
from typing import Dict, List

import torch
from torch.futures import Future


def length(s: str) -> int:
    return len(s)


def main(words: List[str]):
    futures: Dict[str, Future[int]] = {}
    for word in words:
        futures[word] = torch.jit.fork(length, word)
    out: Dict[str, int] = {}
    for word, future in futures.items():
        out[word] = future.wait()
    return out
