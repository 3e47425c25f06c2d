# ERROR: 3:14: argument 'key' of __getitem__ must be str, not int
def main(d: Dict[str, int]):
    return d[1]
