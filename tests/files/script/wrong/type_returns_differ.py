# ERROR: 5:12-14: this return gives str, and one before gave int
def main(n: int):
    if n > 0:
        return 1
    return "a"
