# run: main(3)
from typing import Any, List

import torch


class Scope:
    def __init__(self, log: List[str]):
        self.log = log

    def __enter__(self) -> int:
        self.log.append("enter")
        return 5

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        self.log.append("exit")


def main(n: int):
    log: List[str] = []
    with Scope(log) as k:
        log.append("inside")
        n += k
    return n, log
