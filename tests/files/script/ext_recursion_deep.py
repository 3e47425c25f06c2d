# run: main(5000)
def main(n: int) -> int:
    if n == 0:
        return 0
    return 1 + main(n - 1)
