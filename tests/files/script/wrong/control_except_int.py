# ERROR: 5:12: a kind of exception is wanted here, not a number
def main(n: int):
    try:
        n += 1
    except 3:
        n = 0
    return n
