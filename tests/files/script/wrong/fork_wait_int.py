# ERROR: 4:27: wait takes a Future, not int
import torch
def main(n: int):
    return torch.jit.wait(n)
