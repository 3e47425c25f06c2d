# run: main(1)
def main(n: int):
    a = (n, 2)
    b = ("x",)
    return a + b
