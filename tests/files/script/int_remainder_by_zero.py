# TorchScript crashes on 1 % 0.
# oracle: python
# run: main(1, 0)
# run: main(5, -3)
def main(a: int, b: int) -> int:
    return a % b
