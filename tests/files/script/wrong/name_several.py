# ERROR: 4:16: undefined name 'b'
# ERROR: 6:16: undefined name 'c'
def main(a: int):
    return a + b
def other(a: int):
    return a + c
