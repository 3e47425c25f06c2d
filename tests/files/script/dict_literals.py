# run: main(1)
def main(n: int):
    a = {"x": 1, "y": n}
    b = {1: "a", 2: "b"}
    c = {"l": [1, 2]}
    d: Dict[str, float] = {}
    return a, b, c, d, len(a)
