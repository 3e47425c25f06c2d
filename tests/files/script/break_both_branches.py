# run: main(5)
def main(n: int):
    x = 0
    for i in range(n):
        x += 1
        if i > 2:
            break
        else:
            continue
    return x
