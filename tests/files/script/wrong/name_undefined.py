# ERROR: 3:16: undefined name 'b'
def main(a: int):
    return a + b
