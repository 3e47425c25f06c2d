# ERROR: 3:13-24: the comment has 1 types, and the function 2 parameters
def main(a, b):
    # type: (int) -> int
    return a
