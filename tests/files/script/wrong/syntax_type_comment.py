# ERROR: 3:13-21: the comment has 0 types, and the function 1 parameters
def main(a):
    # type: () -> int
    return a
