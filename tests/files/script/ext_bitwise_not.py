# run: main(5)
# run: main(-1)
def main(n: int):
    return ~n, +n
