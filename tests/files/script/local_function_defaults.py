# Defaults of local functions are computed where these are defined.
# run: main(5)
# oracle: python
def main(a: int):
    def constant(x: int, y: int = 3) -> int:
        return x + y
    def local(x: int, y: int = a) -> int:
        return x + y
    twice = lambda z=a * 2: z + 1
    a = 100
    return constant(1), constant(1, y=2), local(1), local(1, 2), local(1, y=3), twice(), twice(2), a
