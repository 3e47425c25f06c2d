# ERROR: 2:22: a parameter without a default after one with a default
def main(a: int = 1, b: int):
    return a
