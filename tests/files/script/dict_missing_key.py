# run: main({"a": 1}, "a")
# run: main({"a": 1}, "b")
def main(d: Dict[str, int], k: str):
    return d[k]
