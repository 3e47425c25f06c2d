# ERROR: 2:14-27: List takes 1 type, not 2
def main(xs: List[int, str]):
    return xs
