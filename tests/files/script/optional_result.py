# run: main([1, 4], 4)
# run: main([1, 4], 5)
def find(xs: List[int], x: int) -> Optional[int]:
    for i, y in enumerate(xs):
        if x == y:
            return i
    return None
def main(xs: List[int], x: int):
    at = find(xs, x)
    return -1 if at is None else at
