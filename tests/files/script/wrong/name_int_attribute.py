# ERROR: 3:5-12: 'int' has no attribute 'append'
def main(n: int):
    n.append(1)
    return n
