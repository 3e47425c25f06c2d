# ERROR: 4:12: undefined name 'm'
def main(n: int):    n = 1    return m