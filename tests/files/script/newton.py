# run: main(2.0)
# run: main(-1.0)
def main(x: float) -> float:
    assert x >= 0.0, "no root"
    guess = 1.0
    while abs(guess * guess - x) > 1e-9:
        guess = (guess + x / guess) / 2.0
    return guess
