def inc(x: int) -> int:
    return x + 1


def add(x: Tensor, y: Tensor) -> Tensor:
    return x + y


def int_loop(n: int) -> int:
    sum = 0
    for i in range(n):
        future = torch.jit.fork(inc, i)
        sum = sum + torch.jit.wait(future)
    return sum


def tensor_loop(x: Tensor, n: int) -> Tensor:
    y = x
    for i in range(n):
        future = torch.jit.fork(add, y, x)
        y = torch.jit.wait(future)
    return y


def chain(n: int) -> int:
    x = 0
    for i in range(n):
        future = torch.jit.fork(inc, x)
        x = torch.jit.wait(future)
    return x


def fan_out(n: int) -> int:
    futures: List[Future[int]] = []
    for i in range(n):
        futures.append(torch.jit.fork(inc, i))
    sum = 0
    for i in range(n):
        sum = sum + torch.jit.wait(futures[i])
    return sum
