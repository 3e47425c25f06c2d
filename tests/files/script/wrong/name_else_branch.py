# ERROR: 7:12: 'x' is not defined when the condition is true
def main(n: int):
    if n > 0:
        y = 1
    else:
        x = 2
    return x
