# ERROR: 2:1: expected a function, class, constant or import, found 'x'
x += 1
def main(a: int):
    return a
