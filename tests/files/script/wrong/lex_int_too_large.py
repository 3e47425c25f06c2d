# ERROR: 3:12-30: an integer that does not fit 64 bits
def main():
    return 9223372036854775808
