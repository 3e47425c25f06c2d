# run: main(5)
# run: main(100)
def main(n: int):
    for i in range(5):
        for j in range(5):
            if i * j == n:
                return i, j
            if i + j > n:
                return -1, j
    return -1, -1
# DIFFERS: TorchScript's types of tuples are equal, but not the same
