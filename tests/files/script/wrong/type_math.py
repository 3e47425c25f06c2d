# ERROR: 4:22: argument 'a' of math.sqrt must be a number, not str
import math
def main(s: str):
    return math.sqrt(s)
