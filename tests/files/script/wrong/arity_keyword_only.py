# ERROR: 5:12-18: f takes 1 argument without a name, not 2
def f(a: int, *, b: int = 1) -> int:
    return a
def main(n: int):
    return f(n, 2)
