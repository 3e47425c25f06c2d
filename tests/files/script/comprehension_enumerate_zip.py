# run: main([1, 2], [3, 4])
def main(a: List[int], b: List[int]):
    return [i * x for i, x in enumerate(a)], [x + y for x, y in zip(a, b)]
