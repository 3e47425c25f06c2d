# run: main(10.0)
def main(x: float):
    x += 1
    x -= 0.5
    x *= 2.0
    x /= 4
    x **= 2.0
    return x
