# run: main(3)
def main(n: int) -> int:
    if (m := n * 2) > 5:
        return m
    return 0
