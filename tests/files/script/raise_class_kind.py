# What is raised without being called has its kind all the same; TorchScript gives it none.
# oracle: python
# run: main(0)
# run: main(1)
def main(n: int) -> int:
    if n == 0:
        raise ZeroDivisionError
    if n == 1:
        raise KeyError
    return n
