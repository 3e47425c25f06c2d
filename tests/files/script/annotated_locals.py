# run: main(3)
def main(n: int):
    a: int = n
    b: float = 1.0
    c: List[float] = []
    d: Optional[int] = None
    e: Dict[str, int] = {}
    e["n"] = a
    c.append(b)
    return a, b, c, d, e
