# ERROR: 3:15-17: no overload of aten::__getitem__ takes (List[int], str)
def main(xs: List[int]):
    return xs["a"]
