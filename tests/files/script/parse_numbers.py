# run: main("12", "2.5")
# run: main("-7", "1e3")
# run: main("x", "2.5")
def main(a: str, b: str):
    return int(a), float(b)
