# What the body does to the bound or the variable does not change the loop.
# run: main(4)
def main(n: int):
    total = 0
    for i in range(n):
        n = 100
        i = i * 10
        total += i
    return total, n
