# run: main("abc", [1, 2])
def main(s: str, xs: List[int]):
    a = list(s)
    b = list(xs)
    b.append(3)
    return a, b, xs, list(range(3))
