# ERROR: 2:2: expected an expression, found the end of the line
@
def main(a: int):
    return a
