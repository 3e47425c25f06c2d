# ERROR: 3:5-8: a tuple cannot be assigned to with an operator
def main(a: int, b: int):
    a, b += 1
    return a
