def powers(x: Tensor, n: int) -> Tensor:
    y = x
    for i in range(n):
        y = torch.matmul(y, x)
    return y


def matmul(size: int, n: int) -> float:
    x = torch.eye(size)
    y = powers(x, n) + powers(x, n)
    return float(torch.sum(y))


def matmul_forked(size: int, n: int) -> float:
    x = torch.eye(size)
    first = torch.jit.fork(powers, x, n)
    second = torch.jit.fork(powers, x, n)
    y = torch.jit.wait(first) + torch.jit.wait(second)
    return float(torch.sum(y))


def lstm(x: Tensor, weights: Tensor, recurrent: Tensor, backwards: bool) -> Tensor:
    h = torch.zeros([1, 64])
    c = torch.zeros([1, 64])
    outputs: List[Tensor] = []
    steps = x.size(0)
    for i in range(steps):
        step = steps - 1 - i if backwards else i
        gates = torch.matmul(x[step], weights) + torch.matmul(h, recurrent)
        parts = torch.chunk(gates, 4, 1)
        c = torch.sigmoid(parts[1]) * c + torch.sigmoid(parts[0]) * torch.tanh(parts[2])
        h = torch.sigmoid(parts[3]) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs)


def model(x: Tensor, number: int) -> Tensor:
    scale = 0.01 * (number + 1)
    weights = torch.ones([64, 256]) * scale
    recurrent = torch.ones([64, 256]) * (0.5 * scale)
    return torch.cat([lstm(x, weights, recurrent, False), lstm(x, recurrent, weights, True)], 2)


def rounded(x: Tensor) -> float:
    return float(torch.round(torch.sum(x) * 10))


def ensemble(models: int) -> float:
    x = torch.ones([16, 1, 64])
    results: List[Tensor] = []
    for i in range(models):
        results.append(model(x, i))
    return rounded(torch.stack(results))


def ensemble_forked(models: int) -> float:
    x = torch.ones([16, 1, 64])
    futures: List[Future[Tensor]] = []
    for i in range(models):
        futures.append(torch.jit.fork(model, x, i))
    results: List[Tensor] = []
    for i in range(models):
        results.append(torch.jit.wait(futures[i]))
    return rounded(torch.stack(results))
