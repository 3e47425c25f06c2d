# run: main(12, 10)
# run: main(-1, 1)
# run: main(5, 0)
def main(a: int, b: int):
    return a & b, a | b, a ^ b, a << b, a >> b
