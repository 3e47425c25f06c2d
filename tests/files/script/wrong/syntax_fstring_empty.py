# ERROR: 3:17: expected an expression, found the end of the braces
def main(a: int):
    return f"a {}"
