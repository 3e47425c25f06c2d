# run: main([3, 1, 2])
# run: main([])
def main(xs: List[int]):
    total = 0
    for x in xs:
        total = total * 10 + x
    return total
