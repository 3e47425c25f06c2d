# run: main(1)
# run: main(5)
# run: main(50)
def main(n: int) -> int:
    if n < 10:
        if n < 3:
            return 0
        n = n * 2
    else:
        n = n + 1
    return n
