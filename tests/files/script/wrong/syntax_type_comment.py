# ERROR: 3:14: expected a type, found ')'
def main(a):
    # type: () -> int
    return a
