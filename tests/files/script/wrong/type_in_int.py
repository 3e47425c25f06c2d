# ERROR: 3:12-17: no overload of aten::__contains__ takes (int, int)
def main(n: int):
    return 1 in n
