# ERROR: 4:1-6: expected a function, class, constant or import, found 'return'
def main(a: int):
    return a
return 1
