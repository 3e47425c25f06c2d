# Types of newer Pythons.
# run: main(None)
# run: main(3)
def main(n: int | None) -> int:
    if n is None:
        return 0
    return n
