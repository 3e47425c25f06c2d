# ERROR: 2:10-12: expected a name, found 'for'
def main(for: int):
    return 1
