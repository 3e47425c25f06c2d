# run: main({"a": 1, "b": 2})
def main(d: Dict[str, int]):
    d["c"] = 3
    a = d.get("a")
    b = d.get("z", 7)
    c = d.pop("b")
    e = d.setdefault("q", 9)
    return d, a, b, c, e, "a" in d, "z" in d, list(d.keys()), list(d.values())
