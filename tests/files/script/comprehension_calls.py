# run: main(3)
def square(n: int) -> int:
    return n * n
def main(n: int):
    return [square(i) + 1 for i in range(n)], sum([square(i) for i in range(n)])
