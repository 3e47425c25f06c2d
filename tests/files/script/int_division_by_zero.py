# run: main(1, 0)
# run: main(4, 2)
def main(a: int, b: int) -> int:
    return a // b
