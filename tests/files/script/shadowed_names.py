# A local may have the name of a function.
# run: main(3)
def len2(n: int) -> int:
    return n + 1
def main(n: int):
    x = len2(n)
    len2 = 5
    return x + len2
