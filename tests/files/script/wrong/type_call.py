# ERROR: 2:13-17: a type is wanted here, not a call
def main(x: int()):
    return x
