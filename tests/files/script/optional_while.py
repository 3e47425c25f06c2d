# run: main(5)
def main(n: int):
    best: Optional[int] = None
    while n > 0:
        if best is None:
            best = n
        elif n % 3 == 0:
            best = n
        n -= 1
    return best
