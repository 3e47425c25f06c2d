# ERROR: 5:17: f has no argument 'c'
def f(a: int, b: int = 1) -> int:
    return a
def main(n: int):
    return f(n, c=2)
