# ERROR: 3:12-16: 'Optional[Tensor]' has no attribute 'sum'; it may be None
def main(x: Optional[Tensor]):
    return x.sum()
