# run: main(2.567)
def main(x: float):
    return round(x, 1), round(x)
