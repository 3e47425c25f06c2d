# ERROR: 3:14: no overload of aten::__getitem__ takes (Dict[str, int], int)
def main(d: Dict[str, int]):
    return d[1]
