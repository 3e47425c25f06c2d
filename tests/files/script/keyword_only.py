# Parameters after the star are given by name.
# run: main(2)
def task(a: int, *, b: int = 10) -> int:
    return a + b
def main(n: int):
    return task(n), task(n, b=1)
