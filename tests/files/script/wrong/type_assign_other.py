# ERROR: 5:9: 'x' is a variable of type int, str does not fit
def main(n: int):
    x = 1
    if n > 0:
        x = "a"
    return x
