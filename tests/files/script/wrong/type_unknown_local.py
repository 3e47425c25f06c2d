# ERROR: 3:8-12: unknown type 'strng', did you mean 'str'?
def main(n: int):
    s: strng = "a"
    return s
