# run: main(1)
# run: main(-1)
# run: main(0)
def main(n: int):
    if n > 0:
        x = 1
    elif n < 0:
        x = -1
    else:
        x = 0
    return x
