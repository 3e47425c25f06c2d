# ERROR: 6:12-41: 'Future[int]' has no attribute 'result', did you mean 'wait'?
import torch
def task(n: int) -> int:
    return n
def main(n: int):
    return torch.jit.fork(task, n).result()
