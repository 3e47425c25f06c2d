# run: main(3)
def main(n: int):
    return [[i * j for j in range(n)] for i in range(n)]
