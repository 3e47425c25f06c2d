# ERROR: 3:5-8: expected an expression, found 'else'
def main(a: int):
    else:
        a = 1
    return a
