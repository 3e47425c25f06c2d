# run: main(0)
# run: main(3)
# run: main(-2)
def main(n: int) -> int:
    if n == 0:
        return 100
    n = n * 2
    if n > 0:
        return n
    return -n
