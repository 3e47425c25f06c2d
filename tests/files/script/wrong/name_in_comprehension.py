# ERROR: 4:12: undefined name 'i'
def main(n: int):
    xs = [i for i in range(n)]
    return i
