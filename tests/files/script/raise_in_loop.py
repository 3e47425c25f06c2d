# run: main([1, 2])
# run: main([1, -2])
def main(xs: List[int]):
    total = 0
    for x in xs:
        if x < 0:
            raise RuntimeError("a negative one")
        total += x
    return total
