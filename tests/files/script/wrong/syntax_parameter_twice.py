# ERROR: 2:18: two parameters are called 'a'
def main(a: int, a: int):
    return a
