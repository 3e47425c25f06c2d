# ERROR: 4:1-8: this line is indented, and no line before it opens a block
def main(a: int):
    b = a
        b = 2
    return b
