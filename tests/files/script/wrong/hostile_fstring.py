# ERROR: 3:17: expected an expression, found '*'
def main(n: int):
    return f"{n ** * n}"
