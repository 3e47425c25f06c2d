# ERROR: 6:23-28: undefined name 'hidden'
def other(n: int) -> int:
    hidden = n
    return hidden
def main(n: int):
    return other(n) + hidden
