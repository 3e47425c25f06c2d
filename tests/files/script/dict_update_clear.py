# run: main({"a": 1})
def main(d: Dict[str, int]):
    e = d.copy()
    d.update({"a": 5, "b": 6})
    n = len(d)
    f = dict(d)
    d.clear()
    return d, e, f, n
