# run: main(10)
# run: main(0)
def main(n: int) -> int:
    while True:
        if n > 100:
            return n
        n = n * 2 + 1
    return 0
