# A loop over a tuple is unrolled: its elements may have different types.
# run: main(3)
def main(n: int):
    s = ""
    for x in (n, "a", 2.5):
        s += str(x)
    return s
