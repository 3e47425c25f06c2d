# ERROR: 3:8: expected an expression, found the end of the line
def main(a: int):
    a++
    return a
