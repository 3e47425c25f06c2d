# run: main(3, True)
def main(a: int, b: bool):
    return --a, - - -a, not not b, -(-a), not (a > 1)
