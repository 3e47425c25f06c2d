# __exit__ runs when something is raised.
# run: main(0)
# run: main(2)
from typing import Any

import torch


class Loud:
    def __init__(self, name: str):
        self.name = name

    def __enter__(self) -> None:
        print("enter", self.name)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        print("exit", self.name)


def main(n: int) -> int:
    with Loud("a"):
        with Loud("b"):
            if n == 0:
                raise ValueError("zero")
    return n
