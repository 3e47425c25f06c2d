# Infinity and NaN, and what compares with them.
# run: main(inf)
# run: main(nan)
# run: main(-inf)
# run: main(-0.0)
def main(x: float):
    y = float('inf')
    z = float('nan')
    return x, x == x, x < y, x > y, z == z, x + 1.0
