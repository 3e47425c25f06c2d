# run: main(0, 10, 3)
# run: main(10, 0, -4)
# run: main(0, 1, 0)
def main(a: int, b: int, c: int):
    xs: List[int] = []
    for i in range(a, b, c):
        xs.append(i)
    return xs
