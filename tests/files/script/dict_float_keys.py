# run: main(0.5)
def main(x: float):
    d = {0.5: "half", 1.0: "one"}
    d[x] = "changed"
    return d, d[1.0]
