# ERROR: 2:19-21: 'a' is declared as int, str does not fit
def main(a: int = "x"):
    return a
