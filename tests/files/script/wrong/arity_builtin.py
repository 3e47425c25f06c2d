# ERROR: 3:12-16: no overload of aten::len takes ()
def main(n: int):
    return len()
