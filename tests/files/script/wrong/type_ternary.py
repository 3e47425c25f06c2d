# ERROR: 3:12-30: the sides of a conditional expression are int and str
def main(n: int):
    return 1 if n > 0 else "a"
