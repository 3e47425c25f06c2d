# ERROR: 3:15-17: argument 'el' of append must be int, not str
def main(xs: List[int]):
    xs.append("a")
    return xs
