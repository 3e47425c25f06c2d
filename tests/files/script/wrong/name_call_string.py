# ERROR: 3:12-14: 'str' cannot be called
def main(s: str):
    return "a"(s)
