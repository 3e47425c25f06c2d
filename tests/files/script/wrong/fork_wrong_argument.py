# ERROR: 6:33: argument 'a' of task must be int, not str
import torch
def task(a: int) -> int:
    return a
def main(s: str):
    return torch.jit.fork(task, s).wait()
