# run: main(3)
def main(n: int):
    return [i for i in range(n)], list(range(1, n))
