# ERROR: 3:14-16: 'x' is declared as int, str does not fit
def main(n: int):
    x: int = "a"
    return x
