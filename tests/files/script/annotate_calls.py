# run: main(3)
from typing import Dict, List, Optional

import torch


def main(n: int):
    a = torch.jit.annotate(List[int], [])
    a.append(n)
    b = torch.jit.annotate(Optional[int], None)
    c = torch.jit.annotate(Dict[str, List[float]], {})
    c["x"] = [1.0]
    return a, b, c
