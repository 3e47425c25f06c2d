# ERROR: 4:5-10: expected an indented block, found 'return'
def main(a: int):
    if a > 0:
    return a
