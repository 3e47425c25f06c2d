# ERROR: 2:20-22: typing has no 'Lst', did you mean 'List'?
from typing import Lst
def main(n: int):
    return n
