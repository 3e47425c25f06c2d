# ERROR: 3:9: a literal cannot be deleted
def main(a: int):
    del 1
    return a
