# run: main(2, 7)
# run: main(7, 2)
def main(a: int, b: int):
    xs: List[int] = []
    for i in range(a, b):
        xs.append(i)
    return xs
