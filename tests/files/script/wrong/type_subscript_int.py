# ERROR: 3:12: int has no elements
def main(n: int):
    return n[0]
