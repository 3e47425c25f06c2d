# ERROR: 3:12-16: a malformed number
def main():
    return 12abc
