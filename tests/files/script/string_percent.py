# run: main(3, "x")
def main(n: int, s: str):
    return "%d items" % n, "%s=%d" % (s, n), "%i%%" % 5
