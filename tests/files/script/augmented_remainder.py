# %= of TorchScript is C's fmod, not Python's remainder.
# run: main(7.5)
# run: main(-7.5)
def main(x: float):
    x %= 2.0
    return x
