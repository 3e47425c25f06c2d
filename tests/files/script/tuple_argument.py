# run: main((3, "ab"))
def size(t: Tuple[int, str]) -> int:
    return t[0] + len(t[1])
def main(t: Tuple[int, str]):
    n, s = t
    return size(t), size((n, s + s))
