def positive(x: int) -> int:
    assert x > 0, "not positive"
    return x


def error(x: int) -> int:
    future = torch.jit.fork(positive, x)
    return torch.jit.wait(future)
