# ERROR: 7:5-7: 'C' has no attribute 'm'; attributes are made in __init__
class C:
    def __init__(self, n: int):
        self.n = n
def main(n: int):
    c = C(n)
    c.m = 1
    return c.n
