# ERROR: 7:20: argument 'el' of append must be Future[int], not int
from typing import List
import torch
from torch.futures import Future
def main(n: int):
    futures: List[Future[int]] = []
    futures.append(n)
    return n
