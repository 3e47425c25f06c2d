# run: main(1)
def task(a: int, b: int = 2, c: int = 3) -> int:
    return a * 100 + b * 10 + c
def main(n: int):
    return task(n), task(n, c=5), task(b=7, a=n), task(n, 8, 9), task(c=1, a=2, b=3)
