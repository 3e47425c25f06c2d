# run: main(4)
from typing import List, Optional

import torch


class Node:
    def __init__(self, value: int):
        self.value = value
        self.children: List[Node] = []

    def add(self, child: "Node") -> None:
        self.children.append(child)

    def total(self) -> int:
        return self.value + len(self.children)


def main(n: int):
    root = Node(n)
    root.add(Node(1))
    root.add(Node(2))
    sum = root.total()
    for child in root.children:
        sum += child.value
    return sum
