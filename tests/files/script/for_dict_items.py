# run: main({"b": 1, "a": 2})
# run: main({})
def main(d: Dict[str, int]):
    keys: List[str] = []
    values: List[int] = []
    for k, v in d.items():
        keys.append(k)
        values.append(v)
    return keys, values
