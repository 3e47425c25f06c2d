# ERROR: 3:12-14: a malformed integer, or one that does not fit 64 bits
def main():
    return 0o8
