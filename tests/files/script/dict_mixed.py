# Values of several types make a Union.
# run: main(3)
def main(n: int):
    d = {"a": n, "b": "c"}
    x = d["b"]
    if isinstance(x, str):
        return x + "!"
    return "none"
