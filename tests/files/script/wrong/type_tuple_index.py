# ERROR: 3:14: a tuple of 2 has no element 2
def main(t: Tuple[int, str]):
    return t[2]
