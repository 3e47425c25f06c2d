# ERROR: 3:5-9: an expression cannot be assigned to
def main(a: int, b: int):
    a + b = 1
    return a
