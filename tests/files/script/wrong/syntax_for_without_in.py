# ERROR: 3:10: expected 'in', found ':'
def main(n: int):
    for i:
        n += i
    return n
