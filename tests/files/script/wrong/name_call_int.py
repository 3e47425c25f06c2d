# ERROR: 3:12: 'int' cannot be called
def main(n: int):
    return n(1)
