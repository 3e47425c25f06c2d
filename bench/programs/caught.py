def positive(x: int) -> int:
    assert x > 0, "not positive"
    return x


def caught(n: int) -> int:
    count = 0
    for i in range(n):
        future = torch.jit.fork(positive, -i)
        try:
            torch.jit.wait(future)
        except AssertionError:
            count += 1
    return count
