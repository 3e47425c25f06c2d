# run: main()
def main():
    a: List[int] = []
    b: List[List[str]] = []
    b.append(["x"])
    return a, b, len(a)
