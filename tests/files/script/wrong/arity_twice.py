# ERROR: 5:17: argument 'a' of f is given twice
def f(a: int) -> int:
    return a
def main(n: int):
    return f(n, a=2)
