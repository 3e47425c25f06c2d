# ERROR: 3:12-24: isinstance takes 2 arguments, not 1
def main(n: int):
    return isinstance(n)
