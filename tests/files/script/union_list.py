# run: main(1)
def main(n: int):
    xs: List[Union[int, str]] = [n, "b"]
    xs.append("c")
    count = 0
    for x in xs:
        if isinstance(x, str):
            count += 1
    return xs, count
