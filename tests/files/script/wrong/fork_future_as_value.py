# ERROR: 7:12-16: no overload of aten::add takes (Future[int], int)
import torch
def task(a: int) -> int:
    return a
def main(n: int):
    f = torch.jit.fork(task, n)
    return f + 1
