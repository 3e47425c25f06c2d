# ERROR: 2:14-17: List needs the type of its elements: List[int]
def main(xs: List):
    return xs
