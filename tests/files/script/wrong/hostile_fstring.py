# ERROR: 3:20: expected an expression, found '*'
def main(n: int):
    return f"{n ** * n}"
