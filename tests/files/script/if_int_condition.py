# Numbers are conditions too.
# run: main(2, 0.0)
# run: main(0, 0.5)
def main(n: int, x: float):
    r = 0
    if n:
        r += 1
    if x:
        r += 2
    return r
