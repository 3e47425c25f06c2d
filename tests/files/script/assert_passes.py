# run: main(3)
# run: main(-3)
def main(n: int):
    assert n > 0, "positive wanted"
    return n
