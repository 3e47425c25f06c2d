# run: main(None)
# run: main(3)
def main(n: Optional[int]) -> int:
    if n is None:
        return -1
    return n + 1
