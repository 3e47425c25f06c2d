# run: main([1, 2, 3], [0.5, 0.25])
# run: main([], [])
def main(a: List[int], b: List[float]):
    return sum(a), sum(b)
