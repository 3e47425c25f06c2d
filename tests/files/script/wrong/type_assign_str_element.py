# ERROR: 3:5-8: str has no elements that can be assigned to
def main(s: str):
    s[0] = "a"
    return s
