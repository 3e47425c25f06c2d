# run: main("a")
def main(s: str):
    s += "b"
    s += s
    return s
