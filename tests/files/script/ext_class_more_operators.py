# run: main(5, 3)
import torch


class Num:
    def __init__(self, n: int):
        self.n = n

    def __sub__(self, other: "Num") -> "Num":
        return Num(self.n - other.n)

    def __mul__(self, k: int) -> "Num":
        return Num(self.n * k)

    def __truediv__(self, other: "Num") -> float:
        return self.n / other.n

    def __floordiv__(self, other: "Num") -> int:
        return self.n // other.n

    def __mod__(self, k: int) -> int:
        return self.n % k

    def __lt__(self, other: "Num") -> bool:
        return self.n < other.n

    def __le__(self, other: "Num") -> bool:
        return self.n <= other.n

    def __ne__(self, other: "Num") -> bool:
        return self.n != other.n

    def __neg__(self) -> "Num":
        return Num(-self.n)

    def __contains__(self, k: int) -> bool:
        return self.n % k == 0

    def __setitem__(self, i: int, v: int) -> None:
        self.n = i * v


def main(a: int, b: int):
    x = Num(a)
    y = Num(b)
    d = x - y
    d[2] = 7
    out = [d.n, (x * 4).n, x // y, x % 2, (-x).n]
    return out, x / y, x < y, x <= y, x != y, 5 in x, 4 not in x
