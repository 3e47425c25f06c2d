# run: main(["a", "b"])
def main(xs: List[str]):
    return xs == ["a", "b"], "a" in xs, xs != ["a"], xs[0] == "a"
