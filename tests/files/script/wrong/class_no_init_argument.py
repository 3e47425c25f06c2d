# ERROR: 6:12-14: C is missing argument 'n'
class C:
    def __init__(self, n: int):
        self.n = n
def main(n: int):
    return C().n
