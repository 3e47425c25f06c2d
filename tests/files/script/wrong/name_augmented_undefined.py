# ERROR: 3:5-9: undefined name 'total'
def main(n: int):
    total += n
    return n
