# run: main("a,b,,c")
# run: main("")
def main(s: str):
    parts = s.split(",")
    return parts, "-".join(parts), s.rsplit(",", 1), "a b  c".split(), s.partition(","), s.rpartition(",")
