# ERROR: 5:12-17: undefined name 'sqaure', did you mean 'square'?
def square(n: int) -> int:
    return n * n
def main(n: int):
    return sqaure(n)
