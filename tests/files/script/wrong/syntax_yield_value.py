# ERROR: 3:9-13: expected an expression, found 'yield'
def main(a: int):
    x = yield a
    return x
