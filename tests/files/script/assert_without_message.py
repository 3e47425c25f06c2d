# run: main(3)
# run: main(0)
def main(n: int):
    assert n
    assert n > 0
    return n
