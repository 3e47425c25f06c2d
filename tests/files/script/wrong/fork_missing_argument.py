# ERROR: 6:12-34: task is missing argument 'b'
import torch
def task(a: int, b: int) -> int:
    return a + b
def main(n: int):
    return torch.jit.fork(task, n).wait()
