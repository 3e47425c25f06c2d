# ERROR: 3:12-15: a string that does not end
def main():
    return "abc
