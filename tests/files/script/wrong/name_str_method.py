# ERROR: 3:12-17: 'str' has no attribute 'uper', did you mean 'upper'?
def main(s: str):
    return s.uper()
