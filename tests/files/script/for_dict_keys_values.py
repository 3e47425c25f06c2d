# run: main({1: "x", 2: "y"})
def main(d: Dict[int, str]):
    total = 0
    s = ""
    for k in d.keys():
        total += k
    for v in d.values():
        s += v
    return total, s
