# run: main(0) raises ZeroDivisionError: division by 0
def main(n: int) -> int:
    try:
        return 1 // n
    except KeyError:
        return -1
