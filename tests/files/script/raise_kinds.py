# The kind of what is raised.
# run: main(0)
# run: main(1)
# run: main(2)
# run: main(3)
# run: main(4)
def main(n: int):
    if n == 0:
        raise ValueError("zero")
    elif n == 1:
        raise KeyError("one")
    elif n == 2:
        raise NotImplementedError("two")
    elif n == 3:
        raise Exception("three")
    return n
