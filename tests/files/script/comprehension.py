# run: main(4, [1.5, 2.5])
def main(n: int, xs: List[float]):
    a = [i * i for i in range(n)]
    b = [x + 1 for x in xs]
    c = [str(i) for i in a]
    return a, b, c
