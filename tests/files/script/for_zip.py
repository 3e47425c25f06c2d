# The shortest list ends it.
# run: main([1, 2, 3], [10, 20])
def main(a: List[int], b: List[int]):
    total = 0
    for x, y in zip(a, b):
        total += x * y
    return total
