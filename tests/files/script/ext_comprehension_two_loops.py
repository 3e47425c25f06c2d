# run: main(3)
def main(n: int):
    return [i * 10 + j for i in range(n) for j in range(i)]
