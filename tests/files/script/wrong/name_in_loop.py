# ERROR: 5:12: 'x' is not defined when the loop does not run
def main(n: int):
    for i in range(n):
        x = i
    return x
