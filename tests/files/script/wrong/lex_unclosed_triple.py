# ERROR: 3:12-14: a string that does not end
def main():
    return """abc
