# run: main(3)
def main(n: int):
    for i in range(n):
        if i == 1:
            continue
        print("i =", i)
    return n
