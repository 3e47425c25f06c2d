# run: main(3)
def main(n: int) -> int:
    a = n; b = a + 1
    return a * b;
