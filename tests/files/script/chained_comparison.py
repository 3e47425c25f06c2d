# run: main(1, 2, 3)
# run: main(1, 3, 2)
def main(a: int, b: int, c: int):
    return a < b < c, a < b <= c != a, 0 <= a < 10, a == a == b
