# ERROR: 3:9: '[' is never closed
def main(a: int):
    x = [a, 1
    return x
