# run: main(3)
def main(n: int):
    unused = n * 2
    also = [unused, 1]
    return n
