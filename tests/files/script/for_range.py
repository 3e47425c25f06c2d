# run: main(5)
# run: main(0)
# run: main(-3)
def main(n: int):
    total = 0
    for i in range(n):
        total += i * i
    return total
