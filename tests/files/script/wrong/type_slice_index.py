# ERROR: 3:15-17: the bounds of a slice are int, not str
def main(xs: List[int]):
    return xs["a":]
