# Forks that write to one object, one after the other.
# run: main(3)
import torch


class State:
    def __init__(self):
        self.n = 0


def step(s: State, k: int) -> int:
    s.n += k
    return s.n


def main(n: int):
    s = State()
    a = torch.jit.fork(step, s, n).wait()
    b = torch.jit.fork(step, s, n * 2).wait()
    return a, b, s.n
