# A function may call itself.
# run: main(10)
# run: main(0)
def main(n: int) -> int:
    if n < 2:
        return n
    return main(n - 1) + main(n - 2)
