# run: main(2.0, -3.0)
def main(a: float, b: float):
    z = complex(a, b)
    w = z * 1j
    return z, w, z + w, z - 1, z == w, z != w
