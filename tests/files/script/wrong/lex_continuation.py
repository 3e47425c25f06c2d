# ERROR: 3:16: a character that means nothing here
def main(a: int):
    return a + \ 1
