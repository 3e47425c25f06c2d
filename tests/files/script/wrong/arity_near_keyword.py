# ERROR: 5:14-17: f has no argument 'sise', did you mean 'size'?
def f(size: int) -> int:
    return size
def main(n: int):
    return f(sise=n)
