# run: main(tensor(1.0))
def main(x: Tensor):
    n = 0
    while bool(x < 100):
        x = x * 3
        n += 1
    return x, n
