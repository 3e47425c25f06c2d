# ERROR: 3:5-10: main returns int, not None
def main(n: int) -> int:
    return
