# run: main(2, 3, 4)
# run: main(-1, 5, 2)
def main(a: int, b: int, c: int):
    x = a + b * c
    y = (a + b) * c
    z = -a ** 2
    w = a - b - c
    v = a | b & c ^ a << 1
    u = not a == b and a < c or b > c
    return x, y, z, w, v, u
