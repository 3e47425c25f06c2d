# ERROR: 6:36: task has no argument 'b'
import torch
def task(a: int) -> int:
    return a
def main(n: int):
    return torch.jit.fork(task, n, b=n).wait()
