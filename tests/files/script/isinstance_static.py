# run: main(1, [2.0], None)
def main(a: int, b: List[float], c: Optional[int]):
    return isinstance(a, int), isinstance(a, (float, str)), isinstance(b, list), isinstance(c, int)
