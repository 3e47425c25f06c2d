# ERROR: 2:21: expected an expression, found ':'
def main(a: int) -> :
    return a
