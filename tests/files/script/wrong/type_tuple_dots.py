# ERROR: 2:13-27: a tuple's length is part of its type; List[int] is for any length
def main(x: Tuple[int, ...]):
    return x
