# ERROR: 3:5-15: no overload of aten::_set_item takes (List[int], int, str)
def main(xs: List[int]):
    xs[0] = "a"
    return xs
