# run: main(tensor([1.0]))
import torch
from torch import Tensor


def main(x: Tensor):
    with torch.no_grad():
        y = x * 2
    return y
