# ERROR: 5:12: 'x' is not defined when the condition is false
def main(n: int):
    if n > 0:
        x = 1
    return x
