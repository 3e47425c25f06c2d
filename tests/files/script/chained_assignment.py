# run: main(4)
def main(n: int):
    a = b = n * 2
    a += 1
    return a, b
