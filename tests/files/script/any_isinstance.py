# run: main(3)
# run: main("ab")
# run: main([1, 2])
# run: main(2.5)
def main(x: Any):
    if isinstance(x, int):
        return x + 1
    if isinstance(x, str):
        return len(x)
    if isinstance(x, List[int]):
        return x[0]
    return -1
