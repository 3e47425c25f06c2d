# The variable keeps its last value when it had one before.
# run: main(3)
# run: main(0)
def main(n: int):
    i = -1
    for i in range(n):
        pass
    return i
