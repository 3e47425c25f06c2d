# ERROR: 3:9: undefined name 'x'
def main(n: int):
    y = x
    x = n
    return y
