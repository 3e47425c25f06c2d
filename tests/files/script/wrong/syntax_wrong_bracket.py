# ERROR: 3:14: expected ',' or ']', found ')'
def main(a: int):
    return [a)
