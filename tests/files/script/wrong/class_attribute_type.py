# ERROR: 7:11-13: 'n' of C is int, str does not fit
class C:
    def __init__(self, n: int):
        self.n = n
def main(n: int):
    c = C(n)
    c.n = "a"
    return c.n
