# The variable of a comprehension is its own.
# run: main(3)
def main(i: int):
    xs = [i * 2 for i in range(i)]
    return i, xs
