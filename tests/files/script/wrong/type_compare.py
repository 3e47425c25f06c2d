# ERROR: 3:12-16: no overload of aten::lt takes (int, str)
def main(n: int, s: str):
    return n < s
