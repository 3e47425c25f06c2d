# ERROR: 5:5-7: a call cannot be assigned to
def f() -> int:
    return 1
def main(a: int):
    f() = a
    return a
