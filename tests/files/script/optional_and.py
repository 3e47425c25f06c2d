# run: main(None, 5)
# run: main(3, 5)
# run: main(3, 1)
def main(n: Optional[int], m: int):
    if n is not None and n < m:
        return n
    return m
