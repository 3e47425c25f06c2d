# A variable may be given a value of another type, outside branches and loops.
# run: main(3)
def main(n: int):
    n = str(n)
    x = [1, 2]
    x = len(x)
    return n, x
