# run: main(2.0)
# run: main(0.5)
import math


def main(x: float):
    return math.sqrt(x), math.exp(x), math.log(x), math.sin(x), math.cos(x), math.tan(x), math.atan2(x, 2.0), math.pow(x, 3.0)
