# run: main([1, 2], {"a": 1})
import torch


def main(xs: list[int], d: dict[str, int]):
    t: tuple[int, str] = (1, "a")
    xs.append(t[0])
    return xs, d
