# ERROR: 3:18: expected ',' or ')', found 'b'
def main(a: int, b: int):
    return min(a b)
