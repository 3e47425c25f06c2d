# run: main(1)
# run: main(2)
from typing import Union


def main(n: int):
    if n > 1:
        x: Union[float, int] = 2.5
    else:
        x = 2
    return isinstance(x, float)
