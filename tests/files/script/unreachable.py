# What follows a return is checked and never runs.
# run: main(1)
def main(n: int):
    return n
    n = n + 1
    return n + 100
