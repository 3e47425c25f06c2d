# run: main(2)
def main(n: int):
    """The double.

    Of n.
    """
    return n * 2
