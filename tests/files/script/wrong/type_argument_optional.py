# ERROR: 5:14: argument 'a' of f must be int, not Optional[int]
def f(a: int) -> int:
    return a
def main(n: Optional[int]):
    return f(n)
