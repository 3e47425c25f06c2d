# run: main([1, 5, 7], 5)
# run: main([1, 5, 7], 8)
# run: main([], 1)
def main(xs: List[int], x: int) -> int:
    for i in range(len(xs)):
        if xs[i] == x:
            return i
    return -1
