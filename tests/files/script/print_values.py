# run: main(3, [1, 2])
def main(n: int, xs: List[int]):
    print("n is", n)
    print()
    print(xs, 2.5, True, None, (n, "s"), {"a": 1})
    return n
