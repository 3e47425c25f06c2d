# ERROR: 3:14: expected the end of the statement, found 'b'
def main(a: int, b: int):
    return a b
