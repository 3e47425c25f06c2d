# run: main([1, 2, -1, 3])
# run: main([1, 2])
def main(xs: List[int]):
    total = 0
    for x in xs:
        if x < 0:
            break
        total += x
    return total
