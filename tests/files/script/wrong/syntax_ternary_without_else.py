# ERROR: 3:22: expected 'else', found the end of the line
def main(a: int):
    return 1 if a > 0
