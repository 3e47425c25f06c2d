# ERROR: 5:19: the argument 'a' is given twice
def f(a: int) -> int:
    return a
def main(n: int):
    return f(a=n, a=1)
