# run: main(1)
# run: main(-1)
def main(n: int):
    if n < 0:
        raise RuntimeError("negative")
    return n
