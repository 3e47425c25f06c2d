# run: main(3)
from typing import Dict, List

import torch


class Store:
    def __init__(self):
        self.names: List[str] = []
        self.table: Dict[str, int] = {}

    def put(self, k: str, v: int) -> None:
        self.names.append(k)
        self.table[k] = v


def main(n: int):
    s = Store()
    s.put("a", n)
    s.put("b", n * 2)
    return s.names, s.table
