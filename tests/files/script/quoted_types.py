# run: main([1])
from typing import List


def main(xs: "List[int]") -> "int":
    y: "int" = xs[0]
    return y
