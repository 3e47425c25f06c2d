# ERROR: 4:16: undefined name 'm'
import torch
def task(n: int) -> int:
    return n + m
def main(n: int):
    return torch.jit.fork(task, n).wait()
