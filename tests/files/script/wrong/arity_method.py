# ERROR: 3:5-15: append is missing argument 'el'
def main(xs: List[int]):
    xs.append()
    return xs
