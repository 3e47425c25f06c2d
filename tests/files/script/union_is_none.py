from typing import List, Optional, Union

# run: main(None)
# run: main(3)
# run: main("x")
def main(a: Union[int, str, None]):
    seen = 0
    if a is None:
        seen = 1
    if a is not None:
        seen += 2
    return seen, 5 if a is None else 6, kind(a), asserted(a)

def kind(a: Optional[Union[int, str]]) -> str:
    if a is not None:
        if isinstance(a, int):
            return "int"
        return "str"
    return "none"

def asserted(a: Union[int, str, None]) -> int:
    n = 0
    while a is None and n < 3:
        n += 1
    return n
