# ERROR: 5:19: an argument without a name after one with a name
def f(a: int, b: int) -> int:
    return a
def main(a: int):
    return f(a=1, a)
