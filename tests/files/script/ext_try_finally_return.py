# run: main([1])
def last(xs: list[int]) -> int:
    try:
        return xs[-1]
    finally:
        xs.append(9)


def main(xs: list[int]):
    a = last(xs)
    return a, xs
