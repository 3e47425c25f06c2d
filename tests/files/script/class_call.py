# An object that can be called, also by a fork.
# run: main(5)
import torch
class Times:
    def __init__(self, n: int):
        self.n = n
    def __call__(self, q: int) -> int:
        return q * self.n
def main(n: int):
    times = Times(n)
    return times(7) + times(q=2)
