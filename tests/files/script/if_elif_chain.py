# run: main(0)
# run: main(2)
# run: main(9)
def main(n: int) -> str:
    if n == 0:
        s = "zero"
    elif n == 1:
        s = "one"
    elif n == 2:
        s = "two"
    else:
        s = "many"
    return s
