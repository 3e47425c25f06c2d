# ERROR: 6:27-33: fork needs a function, not int; is fork(task, n) meant?
import torch
def task(n: int) -> int:
    return n
def main(n: int):
    return torch.jit.fork(task(n))
