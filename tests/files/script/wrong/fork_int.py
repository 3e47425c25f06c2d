# ERROR: 4:27: fork needs a function, not int
import torch
def main(n: int):
    return torch.jit.fork(n)
