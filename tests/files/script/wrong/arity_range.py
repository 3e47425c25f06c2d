# ERROR: 3:14-30: range takes 1 to 3 arguments, not 4
def main(n: int):
    for i in range(1, 2, 3, 4):
        n += i
    return n
