# run: main(1)
def main(n):
    # type: (int) -> List[int]
    xs = []  # type: List[int]
    xs.append(n)
    return xs
