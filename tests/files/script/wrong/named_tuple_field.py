# ERROR: 7:12-20: 'P' has no attribute 'z'
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int
def main(n: int):
    return P(n, n).z
