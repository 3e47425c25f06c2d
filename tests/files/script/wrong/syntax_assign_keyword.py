# ERROR: 3:12-16: expected an expression, found 'class'
def main(a: int):
    return class
