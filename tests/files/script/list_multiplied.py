# run: main(3)
# run: main(0)
def main(n: int):
    return [0] * n, n * [1, 2], ["x"] * 2
