# run: main(3.14159, 42)
def main(x: float, n: int):
    return f"{x:.2f}", f"{n:5d}|", f"{n:x}"
