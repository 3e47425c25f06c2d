# ERROR: 3:14-18: undefined name 'rnage', did you mean 'range'?
def main(n: int):
    for i in rnage(n):
        n += i
    return n
