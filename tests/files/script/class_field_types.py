# Classes may declare their fields.
# run: main(3)
class Pair:
    a: int
    b: float

    def __init__(self, a: int):
        self.a = a
        self.b = a * 0.5


def main(n: int):
    p = Pair(n)
    return p.a, p.b
