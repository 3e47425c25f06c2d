# ERROR: 3:15: expected the end of the statement, found ')'
def main(a: int):
    return (a))
