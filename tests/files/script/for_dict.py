# run: main({"b": 1, "a": 2})
def main(d: Dict[str, int]):
    s = ""
    total = 0
    for k in d:
        s += k
        total += d[k]
    return s, total
