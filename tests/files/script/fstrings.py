# run: main(3, "x", 2.5)
def main(n: int, s: str, x: float):
    return f"n = {n}", f"{s}-{x}", f"plain", f"{n + 1} {s.upper()}", f"{{{n}}}"
