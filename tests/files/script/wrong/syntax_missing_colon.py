# ERROR: 2:17: expected ':', found the end of the line
def main(a: int)
    return a
