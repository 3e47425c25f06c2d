# run: main(True, False)
# run: main(True, True)
def main(a: bool, b: bool):
    return a == b, a != b, not a, a and b, a or b
