# run: main(5)
# run: main(0)
def main(n: int):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total
