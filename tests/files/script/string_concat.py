# run: main("a", "b")
def main(a: str, b: str):
    return a + b, a + "-" + b, len(a + b), str(1) + a
