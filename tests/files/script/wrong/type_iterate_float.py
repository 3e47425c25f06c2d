# ERROR: 3:24: float cannot be iterated
def main(x: float):
    return [y for y in x]
