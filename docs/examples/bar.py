import torch


def foo(a, b: int):
    return a + b


def bar(a):
    fut = torch.jit.fork(foo, a, b=2)
    return torch.jit.wait(fut)
