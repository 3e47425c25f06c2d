# run: main(3)
# run: main(30)
def main(n: int):
    i = 0
    while True:
        if i >= n or i > 10:
            break
        i += 2
    return i
