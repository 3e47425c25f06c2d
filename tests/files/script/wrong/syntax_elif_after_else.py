# ERROR: 7:5-8: expected an expression, found 'elif'
def main(a: int):
    if a > 0:
        a = 1
    else:
        a = 2
    elif a < 0:
        a = 3
    return a
