# run: main(3)
def main(n: int) -> int:
    return n + 1