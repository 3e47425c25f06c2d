# Default values of every simple type.
# run: main()
# run: main(1, 2.5, "x", False)
# run: main(7)
def main(a: int = 3, b: float = 0.5, c: str = "s", d: bool = True, e: Optional[int] = None):
    return a, b, c, d, e is None
