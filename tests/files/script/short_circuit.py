# The right side of and, or is not evaluated when the left one decides.
# run: main([])
# run: main([5])
# run: main([-5])
def main(xs: List[int]):
    a = len(xs) > 0 and xs[0] > 0
    b = len(xs) == 0 or xs[0] > 0
    return a, b, not a and b
