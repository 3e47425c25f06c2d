# ERROR: 5:12: 'i' is not defined when the loop does not run
def main(n: int):
    for i in range(n):
        n += 1
    return i
