# ERROR: 3:12-14: main returns int, not str
def main(n: int) -> int:
    return "a"
