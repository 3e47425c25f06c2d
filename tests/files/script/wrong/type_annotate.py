# ERROR: 5:42: annotate: int does not fit List[int]
import torch
from typing import List
def main(n: int):
    return torch.jit.annotate(List[int], n)
