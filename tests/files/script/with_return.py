# run: main(1)
# run: main(5)
from typing import Any, List

import torch


class Scope:
    def __init__(self, log: List[str]):
        self.log = log

    def __enter__(self) -> None:
        self.log.append("enter")

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        self.log.append("exit")


def inner(n: int, log: List[str]) -> int:
    with Scope(log):
        if n > 3:
            return n
        log.append("small")
    log.append("after")
    return -n


def main(n: int):
    log: List[str] = []
    r = inner(n, log)
    return r, log
