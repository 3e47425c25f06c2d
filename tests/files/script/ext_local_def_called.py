# run: main(3)
def main(n: int) -> int:
    def inner(a: int) -> int:
        return a * 2

    return inner(n) + inner(1)
