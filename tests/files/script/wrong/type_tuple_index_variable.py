# ERROR: 3:14: the index of a tuple is a constant, unless all its elements are of one type
def main(t: Tuple[int, str], i: int):
    return t[i]
