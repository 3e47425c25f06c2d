# ERROR: 6:12-17: 'C' has no attribute 'z'
class C:
    def __init__(self, n: int):
        self.n = n
def main(n: int):
    return C(n).z
