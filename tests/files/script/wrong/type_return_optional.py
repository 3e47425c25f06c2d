# ERROR: 3:12: main returns int, not Optional[int]
def main(n: Optional[int]) -> int:
    return n
