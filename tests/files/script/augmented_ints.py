# run: main(10, 3)
def main(a: int, b: int):
    a += b
    a -= 1
    a *= 2
    a <<= 2
    a |= 1
    a ^= 3
    a &= 15
    a >>= 1
    return a
