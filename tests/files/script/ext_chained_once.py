# The middle of a chained comparison is evaluated once.
# TorchScript evaluates it twice.
# oracle: python
# run: main([1])
def last(xs: list[int]) -> int:
    xs.append(len(xs))
    return xs[-1]


def main(xs: list[int]):
    a = 0 < last(xs) < 5
    b = 5 < last(xs) < last(xs)
    return a, b, xs
