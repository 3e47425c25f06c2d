# ERROR: 3:16: a character that means nothing here
def main(n: int):
    return n + 
