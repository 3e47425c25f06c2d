# run: main(10)
# run: main(3)
def main(n: int):
    i = 0
    while i < n and i * i < 50 or i == 8:
        i += 1
    return i
