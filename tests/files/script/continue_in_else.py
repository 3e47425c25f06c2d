# run: main(6)
def main(n: int):
    a = 0
    b = 0
    for i in range(n):
        if i % 2 == 0:
            a += i
        else:
            b += 1
            continue
        b += 10
    return a, b
