# ERROR: 3:12-13: a malformed integer, or one that does not fit 64 bits
def main():
    return 0x
