# How values look as text.
# run: main(1.0, [1.5, 2.0], {"a": 1})
def main(x: float, xs: List[float], d: Dict[str, int]):
    return str(x), str(xs), str(d), str((1, "a")), str(True), str(None), str(1e20), str(0.1)
