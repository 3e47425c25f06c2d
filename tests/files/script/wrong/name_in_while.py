# ERROR: 6:12: 'x' is not defined when the loop does not run
def main(n: int):
    while n > 0:
        x = n
        n -= 1
    return x
