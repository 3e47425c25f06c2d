# ERROR: 3:12-16: no overload of aten::__and__ takes (float, float)
def main(x: float):
    return x & x
