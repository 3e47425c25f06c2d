# ERROR: 3:13: a character that means nothing here
def main(a: int):
    return a?
