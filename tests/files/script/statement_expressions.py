# An expression is a statement, evaluated for what it does.
# run: main([1])
def main(xs: List[int]):
    xs.append(2)
    len(xs)
    xs[0] + 1
    "a text"
    3
    return xs
