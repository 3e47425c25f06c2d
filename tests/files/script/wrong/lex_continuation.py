# ERROR: 3:16: a '\' that joins no line: something follows it
def main(a: int):
    return a + \ 1
