# ERROR: 3:26: a type is wanted here, not a number
def main(n: int):
    return isinstance(n, 3)
