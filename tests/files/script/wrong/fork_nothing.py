# ERROR: 4:12-27: fork needs a function
import torch
def main(n: int):
    return torch.jit.fork()
