# run: main(20)
def main(n: int):
    return [i for i in range(n) if i % 2 == 0 if i % 3 == 0], {i: str(i) for i in range(n) if i > 17}
