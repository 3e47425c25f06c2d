# ERROR: 3:12-17: undefined name 'lenght', did you mean 'length'?
def main(length: int):
    return lenght + 1
