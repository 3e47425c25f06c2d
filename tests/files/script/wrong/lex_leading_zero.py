# ERROR: 3:12-14: a number with a leading zero; an octal one begins with 0o
def main():
    return 012
