# ERROR: 3:12-13: no overload of aten::neg takes (str)
def main(s: str):
    return -s
