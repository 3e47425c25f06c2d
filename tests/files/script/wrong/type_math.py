# ERROR: 4:22: sqrt takes Tensor, int, float, complex or Scalar, not str
import math
def main(s: str):
    return math.sqrt(s)
