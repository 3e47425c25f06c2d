# run: main({"a": 1, "b": 2})
# run: main({"b": 2})
def main(d: Dict[str, int]):
    del d["a"]
    return d
