# ERROR: 5:15: expected an expression, found the end of the line
# ERROR: 7:14: expected ',' or ']', found ')'
# ERROR: 8:17: expected ':', found the end of the line
def one(a: int):
    return a *
def two(a: int):
    return [a)
def main(a: int)
    return a
