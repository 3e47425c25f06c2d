# ERROR: 3:12-16: no overload of aten::add takes (Optional[int], int)
def main(n: Optional[int]):
    return n + 1
