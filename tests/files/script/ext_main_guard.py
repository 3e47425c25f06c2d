# run: main(3)
import torch


class Pair:
    LIMIT: int = 5

    def __init__(self, a: int):
        self.a = a

    def capped(self) -> int:
        return self.a if self.a < self.LIMIT else self.LIMIT


def main(n: int):
    return Pair(n).capped(), Pair(n + 10).capped()


if __name__ == "__main__":
    print(main(3))
