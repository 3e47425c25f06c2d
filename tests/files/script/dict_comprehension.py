# run: main([1, 2, 3])
def main(xs: List[int]):
    return {x: x * x for x in xs}
