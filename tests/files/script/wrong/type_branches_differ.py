# ERROR: 7:12: 'x' is int when the condition is true and str when it is false
def main(n: int):
    if n > 0:
        x = 1
    else:
        x = "a"
    return x
