# run: main(["a", "bc", ""])
def main(xs: List[str]):
    s = ""
    for x in xs:
        s = s + x + "."
    return s
