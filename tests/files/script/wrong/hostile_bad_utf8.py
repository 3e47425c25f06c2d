# ERROR: 3:16: names are of ASCII letters, digits and '_'
def main(n: int):
    return n + ÿ
