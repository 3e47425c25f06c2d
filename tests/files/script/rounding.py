# run: main(2.5)
# run: main(-3.7)
def main(x: float):
    return round(x), int(x), abs(x)
