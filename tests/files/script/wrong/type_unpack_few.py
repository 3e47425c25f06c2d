# ERROR: 3:5-11: 3 names for a tuple of 2
def main(t: Tuple[int, str]):
    a, b, c = t
    return a
