# run: main("banana")
def main(s: str):
    return s.replace("a", "o"), s.replace("a", "o", 1), s.center(10, "*"), s.ljust(8), s.rjust(8, "."), s.zfill(8)
