# ERROR: 5:12-18: f takes 1 argument, not 2
def f(a: int) -> int:
    return a
def main(n: int):
    return f(n, n)
