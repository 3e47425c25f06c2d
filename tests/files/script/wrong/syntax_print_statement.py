# ERROR: 3:11-13: expected the end of the statement, found a string
def main(a: int):
    print "a"
    return a
