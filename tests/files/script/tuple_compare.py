# run: main((1, 2), (1, 2))
# run: main((1, 2), (1, 3))
def main(a: Tuple[int, int], b: Tuple[int, int]):
    return a == b, a != b
