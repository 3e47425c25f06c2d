# ERROR: 3:17: expected ',' or ':', found the end of the line
def main(a: int):
    f = lambda x
    return f(a)
