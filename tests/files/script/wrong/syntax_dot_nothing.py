# ERROR: 3:14: expected the attribute's name, found the end of the line
def main(x: Tensor):
    return x.
