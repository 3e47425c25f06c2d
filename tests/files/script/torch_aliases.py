# run: main(tensor([1.0, -1.0]))
import torch
import torch.nn.functional as F
from torch import Tensor


def main(x: Tensor):
    return F.relu(x), torch.nn.functional.relu(x) + 1, F.linear(x, x.unsqueeze(0))
# DIFFERS: torch.nn.functional.relu is a Python function there, an operator here
