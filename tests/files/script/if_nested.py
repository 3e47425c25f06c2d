# run: main(1, 1)
# run: main(1, -1)
# run: main(-1, 1)
def main(a: int, b: int):
    x = 0
    if a > 0:
        if b > 0:
            x = 1
        else:
            x = 2
            y = x + 1
            x = y * 2
    return x
