# Locals that are born in the loop are not seen after it.
# run: main(4)
def main(n: int):
    total = 0.0
    for i in range(n):
        half = i / 2
        total += half
    return total
