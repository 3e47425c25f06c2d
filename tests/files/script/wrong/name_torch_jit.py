# ERROR: 4:12-25: torch.jit has no function 'frok', did you mean 'fork'?
import torch
def main(n: int):
    return torch.jit.frok(main, n)
