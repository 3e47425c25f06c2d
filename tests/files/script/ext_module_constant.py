# A number of the module is a constant.
# run: main(5)
import torch

LIMIT = 3
NAMES = "abc"


def main(n: int):
    return n * LIMIT, NAMES
