# run: main(50)
# run: main(1)
def main(n: int) -> int:
    a = 0
    b = 1
    for _ in range(n):
        a, b = b, a + b
    return a
