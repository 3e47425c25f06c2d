# run: main("abc", "abd")
# run: main("", "")
def main(a: str, b: str):
    return a < b, a <= b, a > b, a >= b, a == b, a != b
