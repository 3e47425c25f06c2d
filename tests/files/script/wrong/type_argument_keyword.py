# ERROR: 5:19: argument 'b' of f must be str, not int
def f(a: int, b: str) -> int:
    return a
def main(n: int):
    return f(n, b=n)
