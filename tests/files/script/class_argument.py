# run: main(3)
import torch


class State:
    def __init__(self, n: int):
        self.n = n


def step(s: State) -> None:
    s.n = s.n * 2


def main(n: int):
    s = State(n)
    for i in range(3):
        step(s)
    return s.n
