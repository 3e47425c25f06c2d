# run: main(3)
# run: main(-3)
import torch


class Acc:
    def __init__(self, n: int):
        self.n = n
        self.log = [0]
        if n > 0:
            self.log.append(1)
        else:
            self.log.append(-1)

    def step(self, k: int) -> bool:
        if k > 2:
            return False
        self.n += k
        self.log.append(k)
        return True


def main(n: int):
    a = Acc(n)
    k = 0
    while a.step(k):
        k += 1
    return a.n, a.log
