# ERROR: 3:5-8: a tuple has no elements that can be assigned to
def main(t: Tuple[int, int]):
    t[0] = 1
    return t
