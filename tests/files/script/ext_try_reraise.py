# run: main(5)
def main(n: int) -> int:
    try:
        raise ValueError("first " + str(n))
    except ValueError:
        raise
