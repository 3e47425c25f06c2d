# run: main(3)
def main(n: int) -> int:
    double = lambda x: x * 2
    return double(n)
