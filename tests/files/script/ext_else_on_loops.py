# run: main([1, 2, 3], 2)
# run: main([1, 2, 3], 7)
def main(xs: list[int], x: int) -> str:
    for y in xs:
        if x == y:
            break
    else:
        return "absent"
    return "found"
