# run: main(12)
def main(n: int):
    assert n < 10, "too large: " + str(n)
    return n
