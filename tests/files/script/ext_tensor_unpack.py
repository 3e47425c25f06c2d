# run: main(ramp(2, 2))
def main(x: Tensor):
    a, b = x
    return a, b
