# Strings and lists are conditions.
# run: main("a", [1])
# run: main("", [])
def main(s: str, xs: List[int]):
    a = 0
    if s:
        a += 1
    if xs:
        a += 2
    return a, not s, not xs
