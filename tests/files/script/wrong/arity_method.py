# ERROR: 3:5-15: no overload of aten::append takes (List[int])
def main(xs: List[int]):
    xs.append()
    return xs
