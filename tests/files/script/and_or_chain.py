# run: main(1, 2, 3)
# run: main(0, 0, 1)
def main(a: int, b: int, c: int):
    return a > 0 and b > 0 and c > 0, a > 0 or b > 0 or c > 0, (a > 0 or b > 5) and not c == 3
