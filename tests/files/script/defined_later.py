# A function may call one that stands below it.
# run: main(3)
def main(n: int):
    return later(n)
def later(n: int) -> int:
    return n * 10
