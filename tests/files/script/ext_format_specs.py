# run: main(1234.5678, -42, "ab")
def main(x: float, n: int, s: str):
    a = f"{x:.1f}|{x:10.2f}|{x:<10.2f}|{x:+.0f}|{x:e}|{x:,.2f}|{x:g}"
    b = f"{n:d}|{n:08d}|{n:+d}|{n:#x}|{n:b}|{n:,}|{n:^7}"
    c = f"{s:>5}|{s:<5}|{s:^5}|{s:*^6}|{s:.1}"
    return a, b, c, f"{0.256:.1%}", f"{True:d}", f"{n:.2f}"
