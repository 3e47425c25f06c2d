# run: main(20)
def main(n: int):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        if i > 10:
            break
        total += i
    return total
