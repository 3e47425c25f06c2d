# ERROR: 3:16: expected an expression, found '*'
def main(a: int):
    return a + * 2
