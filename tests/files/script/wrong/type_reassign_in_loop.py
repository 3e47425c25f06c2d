# ERROR: 5:9: 'x' is a variable of type int, float does not fit
def main(n: int):
    x = 0
    for i in range(n):
        x = x / 2
    return x
