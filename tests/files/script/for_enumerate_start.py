# run: main([5, 6])
def main(xs: List[int]):
    total = 0
    for i, x in enumerate(xs, 10):
        total += i * x
    return total
