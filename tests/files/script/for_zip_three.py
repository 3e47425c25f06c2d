# run: main([1, 2], ["a", "b"])
def main(a: List[int], b: List[str]):
    s = ""
    for x, y, z in zip(a, b, range(5)):
        s += str(x) + y + str(z)
    return s
