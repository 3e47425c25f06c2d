# run: main(5)
def main(n: int):
    return n,
