# ERROR: 7:12-15: P is missing argument 'y'
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int
def main(n: int):
    return P(n).x
