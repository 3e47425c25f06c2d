# ERROR: 2:9: expected '(', found ':'
def main:
    return 1
