# ERROR: 3:5-6: names are of ASCII letters, digits and '_'
def main(a: int):
    é = a
    return a
