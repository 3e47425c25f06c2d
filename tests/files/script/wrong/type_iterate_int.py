# ERROR: 3:14: int cannot be iterated; is range(...) meant?
def main(n: int):
    for i in n:
        n += 1
    return n
