# run: main("banana")
# run: main("x")
def main(s: str):
    return s.find("an"), s.rfind("an"), s.count("a"), s.startswith("ba"), s.endswith("na"), "nan" in s
# DIFFERS: TorchScript prints places in its own sources for `a in b`
