# run: main(1)
def main(n: int):
    return ((((((((n + 1) * 2) + 3) * 4) + 5) * 6) + 7) * 8) + (n * (n + (n * (n + (n * (n + 1))))))
