# run: main(1, 2)
# run: main(2, 2)
def main(a: int, b: int):
    return a < b, a <= b, a > b, a >= b, a == b, a != b
