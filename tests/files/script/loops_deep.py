# run: main(3)
def main(n: int):
    total = 0
    for i in range(n):
        for j in range(i):
            k = 0
            while k < j:
                for m in range(2):
                    if m == 1:
                        total += i + j
                k += 1
            total += 1
    return total
