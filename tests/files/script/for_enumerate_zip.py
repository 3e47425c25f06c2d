# run: main([1, 2], [3, 4])
def main(a: List[int], b: List[int]):
    total = 0
    for i, (x, y) in enumerate(zip(a, b)):
        total += i * 100 + x * y
    return total
