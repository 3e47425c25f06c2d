# run: main(None)
# run: main(3)
def main(n: Optional[int]):
    if n is not None:
        r = n * 2
    else:
        r = 0
    return r
