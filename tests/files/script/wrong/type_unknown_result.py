# ERROR: 2:21-27: unknown type 'integer'
def main(n: int) -> integer:
    return n
