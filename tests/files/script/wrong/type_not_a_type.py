# ERROR: 2:13: a type is wanted here, not a number
def main(x: 3):
    return x
