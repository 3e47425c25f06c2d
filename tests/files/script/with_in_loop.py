# run: main(4)
from typing import Any, List

import torch


class Count:
    def __init__(self):
        self.n = 0

    def __enter__(self) -> int:
        self.n += 1
        return self.n

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        self.n += 10


def main(n: int):
    c = Count()
    seen: List[int] = []
    for i in range(n):
        with c as k:
            seen.append(k)
    return seen, c.n
