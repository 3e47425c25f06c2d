# run: main("ab", 3)
def main(s: str, n: int):
    return s * n, n * s
