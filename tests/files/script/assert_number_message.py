# run: main(1)
# run: main(-1)
def main(n: int):
    assert n > 0, n
    return n
