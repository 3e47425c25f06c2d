# run: main(3, "x")
def main(n: int, s: str):
    return "{} and {}".format(n, s), "{}".format(2.5), "none".format(), "{} {} {}".format(True, [1, 2], None)
