# run: main(1)
# run: main(-1)
def main(n: int) -> int:
    if n > 0: return 1
    return -1
