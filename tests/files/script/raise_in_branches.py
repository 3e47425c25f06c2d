# A branch that raises need not define what the other does.
# run: main(1)
# run: main(0)
# run: main(-1)
def main(n: int):
    if n > 0:
        x = n * 2
    elif n == 0:
        raise RuntimeError("zero")
    else:
        raise RuntimeError("negative: " + str(n))
    return x
