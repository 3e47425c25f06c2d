# run: main(17, 5)
def both(a: int, b: int) -> Tuple[int, int]:
    return a // b, a % b
def main(a: int, b: int):
    q, r = both(a, b)
    t = both(b, a)
    return q, r, t, both(a, a)[0]
