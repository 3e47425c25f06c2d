# run: main(4)
from typing import List

import torch


class Table:
    def __init__(self, rows: int):
        self.rows: List[List[int]] = [[i * j for j in range(rows)] for i in range(rows)]

    def diagonal(self) -> int:
        total = 0
        for i in range(len(self.rows)):
            total += self.rows[i][i]
        return total


def main(n: int):
    return Table(n).diagonal()
