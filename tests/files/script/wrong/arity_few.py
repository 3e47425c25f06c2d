# ERROR: 5:12-15: f is missing argument 'b'
def f(a: int, b: int) -> int:
    return a + b
def main(n: int):
    return f(n)
