# ERROR: 3:5: a literal cannot be assigned to
def main(a: int):
    1 = a
    return a
