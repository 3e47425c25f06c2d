# run: main(2.0, -3.0)
def main(a: float, b: float):
    z = complex(a, b)
    return z.real, z.imag, (z * 1j).real
