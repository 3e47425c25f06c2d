# run: main("(())")
# run: main("(()")
from typing import List

import torch


class Stack:
    def __init__(self):
        self.items: List[str] = []

    def push(self, s: str) -> None:
        self.items.append(s)

    def pop(self) -> str:
        return self.items.pop()

    def empty(self) -> bool:
        return len(self.items) == 0


def main(s: str) -> bool:
    stack = Stack()
    for c in s:
        if c == "(":
            stack.push(c)
        else:
            stack.pop()
    return stack.empty()
