# ERROR: 3:14: a character that means nothing here
def main(a: int):
    return a $ 2
