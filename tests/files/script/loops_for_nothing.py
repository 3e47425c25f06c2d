# run: main(2)
# run: main(0)
def main(n: int):
    v = 0
    w = 0
    u = 0
    for i in range(n):
        w += i
        u += 1
    while v < n:
        v += 1
    return u

# run: stops(3)
def stops(n: int):
    v = 0
    while v < 4 and n // (v - 3) < 0:
        v += 1
    return 5
