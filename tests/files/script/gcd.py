# run: main(48, 18)
# run: main(17, 5)
def main(a: int, b: int) -> int:
    while b != 0:
        a, b = b, a % b
    return a
