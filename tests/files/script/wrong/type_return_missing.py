# ERROR: 2:5-8: main returns int, and may end without a return
def main(n: int) -> int:
    n += 1
