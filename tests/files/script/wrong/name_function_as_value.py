# ERROR: 5:12: a function cannot be used as a value
def f(n: int) -> int:
    return n
def main(n: int):
    return f
