# ERROR: 3:15: an index is missing
def main(xs: List[int]):
    return xs[]
