# run: main(7, 2)
# run: main(-7, 2)
# run: main(7, 0)
def main(a: int, b: int):
    q, r = divmod(a, b)
    return q, r
