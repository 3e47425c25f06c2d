# run: main([1, None, 3])
def main(xs: List[Optional[int]]):
    total = 0
    for x in xs:
        if x is not None:
            total += x
    return total
