# ERROR: 3:7-8: expected the end of the statement, found ':='
def main(a: int):
    x := a
    return x
