# run: main([1, 2])
# run: main([1, 2, 3])
def main(xs: List[int]):
    a, b = xs
    return a * 10 + b
