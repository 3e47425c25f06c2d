# run: main(None)
# run: main(0)
# run: main(4)
def main(n: Optional[int]):
    if n is None or n == 0:
        return "nothing"
    return "something " + str(n)
