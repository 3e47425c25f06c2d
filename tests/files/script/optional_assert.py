# run: main(None)
# run: main(3)
def main(n: Optional[int]):
    assert n is not None
    return n + 1
