# ERROR: 3:5-11: 'List[int]' has no attribute 'push', did you mean 'append'?
def main(xs: List[int]):
    xs.push(1)
    return xs
