# run: main(3)
# run: main(-3)
def main(n: int):
    sign = 1 if n > 0 else -1
    name = "big" if n > 2 else "small" if n > 0 else "negative"
    return sign, name
