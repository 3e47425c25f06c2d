# run: main(0)
# run: main(3)
from typing import Any, List

import torch


class Scope:
    def __init__(self, log: List[str]):
        self.log = log

    def __enter__(self) -> None:
        self.log.append("enter")

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        self.log.append("exit")


def main(n: int):
    log: List[str] = []
    try:
        with Scope(log):
            log.append(str(6 // n))
    except ZeroDivisionError:
        log.append("caught")
    return log
