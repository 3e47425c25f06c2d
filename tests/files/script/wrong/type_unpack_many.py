# ERROR: 3:5-8: 2 names for a tuple of 3
def main(n: int):
    a, b = n, n, n
    return a
