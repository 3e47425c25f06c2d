# run: main(10)
def main(n: int):
    return [i * i for i in range(n) if i % 2 == 1]
