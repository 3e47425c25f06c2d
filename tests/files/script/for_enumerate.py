# run: main(["a", "b"])
def main(xs: List[str]):
    s = ""
    for i, x in enumerate(xs):
        s += str(i) + x
    return s
