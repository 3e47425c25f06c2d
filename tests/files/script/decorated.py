# The decorator of TorchScript is accepted.
# run: main(tensor([1.0]))
import torch
from torch import Tensor


@torch.jit.script
def helper(x: Tensor) -> Tensor:
    return x * 3


@torch.jit.script
def main(x: Tensor) -> Tensor:
    return helper(x) + 1
