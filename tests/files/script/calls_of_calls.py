# run: main(3)
def one(n: int) -> int:
    return n + 1
def two(n: int) -> int:
    return one(one(n))
def main(n: int):
    return two(two(n)) * one(n)
