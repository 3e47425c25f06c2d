# run: main([1, 2], [3])
# run: main([], [])
def main(a: List[int], b: List[int]):
    c = a + b
    d = a * 2
    return c, d, a == b, a != b, 3 in b, len(c)
