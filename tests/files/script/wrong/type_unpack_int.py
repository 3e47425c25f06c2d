# ERROR: 3:12: int cannot be unpacked
def main(n: int):
    a, b = n
    return a
