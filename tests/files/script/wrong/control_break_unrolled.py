# ERROR: 5:13-17: 'break' is not possible in a loop over a tuple
def main(n: int):
    for x in (1, "a"):
        if n > 0:
            break
    return n
