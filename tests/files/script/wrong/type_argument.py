# ERROR: 5:14: argument 'a' of f must be int, not str
def f(a: int) -> int:
    return a
def main(s: str):
    return f(s)
