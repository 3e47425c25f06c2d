# ERROR: 3:15-17: argument 'idx' of __getitem__ must be int, not str
def main(xs: List[int]):
    return xs["a"]
