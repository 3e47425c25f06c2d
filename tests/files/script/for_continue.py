# run: main([1, -2, 3])
def main(xs: List[int]):
    total = 0
    for x in xs:
        if x < 0:
            continue
        total += x
    return total
