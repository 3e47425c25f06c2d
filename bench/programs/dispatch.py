def add_loop(x: Tensor, n: int) -> Tensor:
    y = x
    for i in range(n):
        y = y + x
    return y


def inc(x: int) -> int:
    return x + 1
