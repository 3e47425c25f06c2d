# ERROR: 2:18-26: a dict's key is int, bool, float, complex, str or Tensor, not List[int]
def main(d: Dict[List[int], int]):
    return d
