# run: main(2)
def main(n: int):  # a comment
    # another

        # indented oddly
    x = n  # here

# at the margin
    return x + 1  # last
