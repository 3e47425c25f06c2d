# run: main(None)
# run: main(2.5)
def main(x: Optional[float]):
    y = x if x is not None else 0.0
    return y + 1.0
