# ERROR: 3:9-13: only elements of lists and dicts are deleted, and names
def main(n: int):
    del n + 1
    return n
