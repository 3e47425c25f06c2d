# ERROR: 5:9-11: undefined name 'Bse', did you mean 'Base'?
class Base:
    def __init__(self):
        self.n = 1
class C(Bse):
    def __init__(self):
        self.n = 2
def main(n: int):
    return n
