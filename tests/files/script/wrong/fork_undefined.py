# ERROR: 6:27-30: undefined name 'tsak', did you mean 'task'?
import torch
def task(a: int) -> int:
    return a
def main(n: int):
    return torch.jit.fork(tsak, n).wait()
