# run: main(3, True)
# run: main(3, False)
def main(n: int, flag: bool):
    total = 0
    if flag:
        for i in range(n):
            total += i
    else:
        while n > 0:
            n -= 1
            total -= 1
    return total, n
