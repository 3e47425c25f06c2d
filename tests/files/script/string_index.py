# run: main("hello", 1)
# run: main("hello", -1)
# run: main("hello", 5)
def main(s: str, i: int):
    return s[i]
