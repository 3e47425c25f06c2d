# ERROR: 3:15-16: expected the end of the statement, found '.5'
def main():
    return 1.2.5
