# run: main(2.5)
# run: main(-2.5)
import math


def main(x: float):
    return math.floor(x), math.ceil(x), math.fabs(x), math.copysign(3.0, x), math.fmod(x, 2.0), math.isnan(x), math.isinf(x)
