# run: main(4.0)
# run: main(-4.0)
import math


def main(x: float) -> float:
    return math.sqrt(x)
