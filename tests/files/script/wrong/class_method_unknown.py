# ERROR: 8:12-21: 'C' has no attribute 'squre', did you mean 'square'?
class C:
    def __init__(self, n: int):
        self.n = n
    def square(self) -> int:
        return self.n * self.n
def main(n: int):
    return C(n).squre()
