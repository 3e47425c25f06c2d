# run: main({"a": 1}, "a")
# run: main({"a": 1}, "b")
def main(d: dict[str, int], k: str) -> int:
    try:
        return d[k]
    except:
        return 0
