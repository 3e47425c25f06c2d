# ERROR: 2:1: expected 'def' or 'class', found 'x'
x += 1
def main(a: int):
    return a
