# ERROR: 3:13: expected ':', found the end of the line
def main(a: int):
    if a > 0
        return 1
    return a
